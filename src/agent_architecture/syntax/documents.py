"""Documents to the IR: configuration, environment, container and prompt files, each by the reader of its format.

Knows which reader reads which language; nothing of what a document is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.source import Language
from agent_architecture.syntax.document_text import Document
from agent_architecture.syntax.ir import Module, ModuleIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.sources.source import SourceFile
    from agent_architecture.syntax.ir import Expr

    Reader = Callable[[Document], tuple[Expr, ...]]


def lower_document(file: SourceFile) -> Module:
    """The module of a document: its body is the document's values, its index is empty.

    Never raises on any bytes: what cannot be read becomes a notice with its line, and what was read stays.
    """
    document = Document(file.path, file.data.decode("utf-8", "replace"))
    values = _reader(file.language)(document)
    module = Module(file.path, file.language, file.role, document.span(0, len(document.text)))
    return module.complete(ModuleIndex((), (), (), (), {}), lambda: values, document.notices())


def _reader(language: Language) -> Reader:
    match language:
        case Language.YAML:
            from agent_architecture.syntax.document_yaml import read_yaml

            return read_yaml
        case Language.TOML:
            from agent_architecture.syntax.document_toml import read_toml

            return read_toml
        case Language.ENV:
            from agent_architecture.syntax.document_env import read_env

            return read_env
        case Language.DOCKERFILE:
            from agent_architecture.syntax.document_dockerfile import read_dockerfile

            return read_dockerfile
        case Language.MARKDOWN:
            from agent_architecture.syntax.document_front_matter import read_markdown

            return read_markdown
        case Language.PROMPT:
            from agent_architecture.syntax.document_front_matter import read_prompt

            return read_prompt
        case Language.JSON:
            from agent_architecture.syntax.document_json import read_json

            return read_json
        case _:
            raise ValueError(f"{language} is not a language of documents")
