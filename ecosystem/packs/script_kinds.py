"""Kinds of nodes in declaration files, and the types that TypeScript itself brings."""

from __future__ import annotations

from typing import Final

PASSING: Final = frozenset(
    {
        "Promise", "PromiseLike", "Awaited", "Partial", "Required", "Readonly", "NonNullable", "Omit", "Pick",
        "Extract", "Exclude", "NoInfer", "ThisType",
    }
)  # fmt: skip
"""Generic types with the members of their first argument, here or once awaited."""
LISTS: Final = frozenset({"Array", "ReadonlyArray", "AsyncIterable", "Iterable", "AsyncGenerator", "Generator", "Set"})
LASTS: Final = frozenset({"Record", "Map"})
RESULTS: Final = frozenset({"ReturnType", "InstanceType"})
CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration", "class"})
FUNCTIONS: Final = frozenset(
    {
        "function_signature", "function_declaration", "method_signature", "method_definition", "function_type",
        "abstract_method_signature", "call_signature", "function_expression", "arrow_function",
        "generator_function_declaration", "construct_signature", "constructor_type",
    }
)  # fmt: skip
WRAPPING: Final = frozenset({"type_annotation", "parenthesized_type", "readonly_type", "optional_type"})
JOINING: Final = frozenset({"union_type", "intersection_type"})
BODIES: Final = frozenset({"class_body", "interface_body", "object_type", "object"})
