"""Modules that code imports by computed names: `importlib.import_module(f"app.skills.{name}")`.

Found in the bytes, like imports: a folder whose name stands in a text of such a file, or that the file imports as a
package (which of its modules are loaded is not written, so all are), and a module whose name stands in such a text,
with or without something of it: `"app.agents.interactive.InteractiveAgent"`.
"""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_scan import mentions
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.sources.source import SourceFile

_COMPUTED: Final = regex(rb"\b(?:import_module|__import__)\s*+\(\s*+(?![\"'])")
_DOTTED: Final = regex(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_TEXT: Final = regex(rb"[\"'](\.{0,2}[\w./-]{2,120}+)")


def loaded(files: Mapping[str, SourceFile], start: set[str]) -> set[str]:
    """The files that these files import by computed names, or from folders that they name."""
    loading = [files[path] for path in sorted(start) if _computes(files[path])]
    named = {folder for file in loading for folder in _named(file)}
    modules = {module for file in loading for module in _modules(file)}
    return {
        path
        for path in files
        if loading
        and path.endswith(".py")
        and not (named.isdisjoint(_folders(path)) and modules.isdisjoint(_names(path)))
    }


def _computes(file: SourceFile) -> bool:
    return file.language is Language.PYTHON and b"import" in file.data and bool(_COMPUTED.search(file.data))


def _named(file: SourceFile) -> set[str]:
    """The folders that a file may name, from the root of the project or from its own folder."""
    texts = {text for text in _texts(file) if "." in text or "/" in text}  # a single word may be anything
    packages = {mention.specifier for mention in mentions(file) if not mention.names and not mention.level}
    named = {text.strip("./").replace(".", "/") for text in texts | packages}
    home = dirname(file.path)
    return {place for name in named if name for place in (name, f"{home}/{name}" if home else name)}


def _texts(file: SourceFile) -> set[str]:
    return {match[1].decode("utf-8", "replace") for match in _TEXT.finditer(file.data)}


def _modules(file: SourceFile) -> set[str]:
    """The modules that a file may name: `a.b` and `a.b.C` both name `a.b`."""
    dotted = {text for text in _texts(file) if _DOTTED.fullmatch(text)}
    return dotted | {above for text in dotted if "." in (above := text.rpartition(".")[0])}


def _names(path: str) -> set[str]:
    """The names of two parts and more that a module may have: `src/a/b.py` is `src.a.b` and `a.b`."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return {".".join(parts[start:]) for start in range(len(parts) - 1)}


def _folders(path: str) -> tuple[str, ...]:
    """The folders that a file is in, from the root."""
    parts = dirname(path).split("/")
    return tuple("/".join(parts[:number]) for number in range(1, len(parts) + 1))
