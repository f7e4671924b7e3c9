"""The language server: what the analyser says of a project, in an editor, while somebody types.

It reads the workspace's folders as they are with the texts that the editor holds, answers from the last analysis, and
writes nothing: edits are handed to the editor. Text of the scanned project is made visible before it is shown.
"""
