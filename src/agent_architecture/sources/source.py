"""What a scan reads: a file, a place in it, and a remark about it.

This is the lowest layer. It knows paths and bytes; it must not know any syntax, framework or agent.
"""

from __future__ import annotations

from enum import StrEnum

from agent_architecture.records import NamedTuple


class Role(StrEnum):
    """What a file is for. Decided once, in `sources`; nobody else looks at path names."""

    APP = "app"
    TEST = "test"
    EXAMPLE = "example"
    DOCS = "docs"
    GENERATED = "generated"
    VENDORED = "vendored"
    CONFIG = "config"


class Language(StrEnum):
    """How a file is read. `TSX` also stands for JSX: both are read with the TSX grammar."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    TSX = "tsx"
    JSON = "json"
    YAML = "yaml"
    TOML = "toml"
    ENV = "env"
    DOCKERFILE = "dockerfile"
    MARKDOWN = "markdown"
    PROMPT = "prompt"
    TEXT = "text"
    """Plain lines: requirement and lock files without another format. Never lowered to IR."""


class Span(NamedTuple):
    """A place in a file: 1-based lines and columns, columns in Unicode code points, the end exclusive.

    `path` is relative to the scanned root, with forward slashes. Spans order by path, then position.
    """

    path: str
    line: int
    col: int
    end_line: int
    end_col: int

    def contains(self, other: Span) -> bool:
        """Whether `other` lies inside this span of the same file."""
        return (
            self.path == other.path
            and (self.line, self.col) <= (other.line, other.col)
            and (other.end_line, other.end_col) <= (self.end_line, self.end_col)
        )

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Notice(NamedTuple):
    """Something the user should know about the scan itself: a file skipped, partly read, or unreadable."""

    path: str
    line: int | None
    message: str
    incomplete: bool = True
    """Whether something was left unread because of it (`--strict` turns that into exit code 3)."""


class SourceFile(NamedTuple):
    """One file as it was read. `data` is at most the size limit; a file over it is a notice instead."""

    path: str
    language: Language
    role: Role
    data: bytes

    def __hash__(self) -> int:
        """By identity: to hash the data of every file would cost more than to read it."""
        return object.__hash__(self)

    def in_role(self, role: Role) -> SourceFile:
        """The file in another role. It is constructed: `_replace` makes no file that remembers answers."""
        return type(self)(self.path, self.language, role, self.data)
