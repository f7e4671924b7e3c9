"""Library calls that come back only for some values: texts of a form, paths and addresses that lead where they may.

Calls of the project's own code that do are told by what that says: its functions by what they asked (`conditions`), its
enumerations by their members (`enum_lookups`).
"""

from __future__ import annotations

from typing import Final

RAISING: Final = frozenset(
    {"ip_address", "ip_network", "IPv4Address", "UUID", "ZoneInfo", "strptime", "fromisoformat"}
)  # fmt: skip
"""Calls that raise when a text is not of their form."""
CONFINING: Final = frozenset({"confines_path", "screens_url"})
"""The marks of library calls that raise, or say no, when a path or address leads where it must not."""
