"""Loads a tree-sitter grammar by the name of its package.

Knows how such packages are laid out, no grammar. The compiled module is loaded without the package's `__init__`, which
imports importlib.resources only for its query files: that takes longer than everything else together (15 of 30 ms).
"""

from __future__ import annotations

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

    from tree_sitter import Language


@cache
def load_grammar(package: str, function: str = "language") -> Language:
    """The language that `function` of the package gives. A package that is not installed is a `ModuleNotFoundError`."""
    import tree_sitter

    folders = _spec(package, None).submodule_search_locations
    spec = _spec("_binding", list(folders or ()))
    binding = module_from_spec(spec)
    if spec.loader is not None:
        spec.loader.exec_module(binding)
    return tree_sitter.Language(getattr(binding, function)())


def _spec(name: str, folders: list[str] | None) -> ModuleSpec:
    spec = PathFinder.find_spec(name, folders)
    if spec is None:
        raise ModuleNotFoundError(f"the grammar {name} is not installed", name=name)
    return spec
