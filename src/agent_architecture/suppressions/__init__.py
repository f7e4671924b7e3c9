"""Which findings are shown: what comments and the configuration hide, and what the user chose to see.

Scores, risks and the 90 keys never depend on it.
"""
