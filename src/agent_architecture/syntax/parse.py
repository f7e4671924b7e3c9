"""From a file to its IR, whatever its language.

Knows which lowering reads which language, and nothing else about languages. The lowerings are imported when first
needed: a Python project never loads the TypeScript grammar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.languages import is_notebook
from agent_architecture.sources.source import Language, Notice, SourceFile, Span
from agent_architecture.syntax.ir import Module

if TYPE_CHECKING:
    from collections.abc import Callable


def parse(file: SourceFile) -> Module:
    """The module of a file. Never raises: what cannot be read becomes a notice of the module."""
    try:
        return _lowering(Language.NOTEBOOK if is_notebook(file.path) else file.language)(file)
    except Exception as error:  # noqa: BLE001 - one hostile file must not end the scan of the others
        module = Module(file.path, file.language, file.role, Span(file.path, 1, 1, 1, 1))
        module.notices = (
            Notice(file.path, None, f"our parser failed on this file ({type(error).__name__}): it was not read"),
        )
        return module


def _lowering(language: Language) -> Callable[[SourceFile], Module]:
    match language:
        case Language.PYTHON:
            from agent_architecture.syntax.python import lower_python

            return lower_python
        case Language.NOTEBOOK:
            from agent_architecture.syntax.notebook import lower_notebook

            return lower_notebook
        case Language.JAVASCRIPT | Language.TYPESCRIPT | Language.TSX:
            from agent_architecture.syntax.javascript import lower_javascript

            return lower_javascript
        case _:
            from agent_architecture.syntax.documents import lower_document

            return lower_document
