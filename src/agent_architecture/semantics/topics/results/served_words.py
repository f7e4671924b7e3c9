"""What code calls that makes and sends the results of tools: records, texts of them, fields, and what only confirms."""

from __future__ import annotations

from typing import Final

PARSED: Final = frozenset({
    "json", "model_dump", "to_dict", "asdict", "fetchall", "fetchone", "loads", "parse", "dict", "literal_eval",
})  # fmt: skip
"""Calls that give records, without an argument that says how many or which."""
TEXTUAL: Final = frozenset({
    "text", "toString", "join", "trim", "strip", "read_text", "readFile", "readFileSync", "format", "decode", "getText",
    "str", "String", "replace",
})  # fmt: skip
"""Calls that give a text, whatever of."""
SENT: Final = frozenset({"structuredContent", "structured_content"})
FAILED: Final = frozenset({"isError", "is_error"})
FIELDS_OF: Final = frozenset({"model_dump", "to_dict", "asdict", "toObject"})
"""Calls that give the fields of an object, whatever they are called where they stand."""
