"""The names that stand for no step of a graph: where it starts, where it ends, and any of its nodes."""

from __future__ import annotations

from typing import Final

ANY: Final = "*"
"""A target that cannot be read: any node of the graph."""
START: Final = "__start__"
END: Final = "__end__"
