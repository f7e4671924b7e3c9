"""Agents that are written by hand: the project's own classes and objects, and the work that they pass on.

From each model call upwards to the classes that ask (`asking.py`), which of them are agents (`agents.py`) by what they
are called (`naming.py`), own, and are made with (`identities.py`), and who passes work to whom (`handoffs.py`);
functions around loops and dispatches that no class is around (`functions.py`), by who tells the model what to do
(`prompting.py`). A way ends at the object that asks: who runs it asks by it.
"""
