"""Agents that are declared in data and made elsewhere: entries of documents that code of the project loads
(`entries.py`), and files that a host's agent reads which the project runs (`host_files.py`).

What follows from data alone is inferred: which code makes the agent, and what it leaves out, nobody follows.
"""
