"""What calls are called that make a container in which nothing stands yet."""

from __future__ import annotations

from typing import Final

FACTORY: Final = "defaultdict"
"""What it is given makes what is missing; it holds nothing, either."""
MAPPINGS: Final = frozenset({"dict", "Map", "OrderedDict", FACTORY})
CONTAINERS: Final = MAPPINGS | {"list", "deque", "Array"}
