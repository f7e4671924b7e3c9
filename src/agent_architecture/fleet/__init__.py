"""Many repositories: which they are, how each is judged in a process of its own, where the answers are kept, and what
they say together. Stands on `pipeline`, knows no flag.
"""
