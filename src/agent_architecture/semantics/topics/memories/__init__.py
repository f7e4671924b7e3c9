"""What agents remember: memories that libraries make, those of hand-written code, and what tools keep.

What outlives a run and is read by a model. `library_memories.py` reads the rows of packs; a memory that another one is
made with (a collection, a client) is a part of it. What keeps conversations small without being one is a `MemoryLimit`.
For hand-written code one walk (`prompt_reads.py`) goes back from all model calls at once to the places and tables that
they are asked with; `containers.py` takes those that are called as a conversation is, grow, and are not begun anew by
what asks the model, `tables.py` tables with a column for who spoke, `logs.py` classes that keep what was learnt in a
file; `bounds/container_limits.py` reads what bounds them. What outlives a run is decided by names and structure, not by
how long an object lives: an agent object's own list counts, the list of an object that a run makes for itself does not.
`assemblies.py` takes prompts that are put together once of text from outside, along the ways of `untrusted_flows`.
"""
