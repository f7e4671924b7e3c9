"""Which call, definition or object is which row of a pack, and the effective value of each of its settings.

A library's call that makes tools of parameters, loop variables or `self` is repeated for each use, with what is passed
in their place (`substitutions.py`); `tool_identities.py` says what tells tools apart, and which inner functions only
stand around the one that is the tool. No set of values is in between, so their cap does not count. `Match.through`
leads from a use back to the library's call: `used_tools.py` says which of the uses a list holds.
`agents/tool_names.py` and `offered/mapping_keys.py` name them. Agents are repeated alike (`agent_factories.py`), where
what is passed names another one.
"""
