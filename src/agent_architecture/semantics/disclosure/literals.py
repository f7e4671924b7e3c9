"""Secrets that stand in files, and reads of secrets from the environment. Reads texts; follows nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.regexes import regex
from agent_architecture.semantics.disclosure.secrets import (
    FORMS,
    HINT,
    NAMED,
    is_key,
    is_secret_name,
    is_value,
    is_variable,
)
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.context import Context
    from agent_architecture.sources.source import SourceFile

JUDGED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})
DOCUMENTS: Final = frozenset(
    {Language.JSON, Language.YAML, Language.TOML, Language.ENV, Language.DOCKERFILE, Language.PROMPT}
)
LOCKS: Final = regex(r"(?:^|/)[^/]*(?:lock|\.min\.js|shrinkwrap)[^/]*$")
SAMPLE: Final = regex(r"(?:^|[./_-])(?:example|sample|template|dist|defaults?)(?:[./_-]|$)", re.IGNORECASE)
"""Files that show which settings there are."""
READ: Final = regex(
    r"""(?:os\.getenv|\bgetenv|environ\.get|Deno\.env\.get|\benv\.get|userdata\.get|\bconfig)\(\s*["'](?P<call>[A-Za-z]\w*)["']"""
    r"""|(?:environ|process\.env|st\.secrets|import\.meta\.env)\[\s*["'](?P<key>[A-Za-z]\w*)["']\s*\](?!\s*=[^=])"""
    r"""|(?:process\.env|import\.meta\.env)\.(?P<member>[A-Za-z]\w*)(?!\s*=[^=])"""
)
"""Reads of variables, in both languages."""
LINE: Final = 2000
"""Longer lines are data."""


def written(context: Context) -> Iterator[Disclosure]:
    """The secrets that stand in code and configuration, one a line."""
    for file in context.program.table.files():
        if file.role in JUDGED and file.language in CODE | DOCUMENTS and not _holds_none(file):
            for number, line in _lines(file):
                name = _secret(line, file)
                if name is not None:
                    span = Span(file.path, number, 1, number, len(line) + 1)
                    sure = Confidence.HIGH if FORMS.search(line) else Confidence.MEDIUM
                    yield Disclosure(span, name, "", Kept.SECRET, Sink.CODE, name, confidence=sure)


def _holds_none(file: SourceFile) -> bool:
    return LOCKS.search(file.path) is not None or SAMPLE.search(file.path) is not None


def _secret(line: str, file: SourceFile) -> str | None:
    if file.language is not Language.ENV and HINT.search(line) is None:
        return None
    if is_key(line):
        found = FORMS.search(line)
        named = NAMED.search(line)
        return named["name"] if named else found[0][:6] + "…" if found else None
    if file.language is Language.ENV:
        name, _, value = line.partition("=")
        value = value.strip().strip("\"'")
        return name.strip() if is_variable(name.strip()) and is_value(value, name) else None
    for found in NAMED.finditer(line):
        if is_secret_name(found["name"]) and is_value(found["value"], found["name"]):
            return found["name"]
    return None


def reads(context: Context) -> Iterator[Disclosure]:
    """The reads of secrets in the program, one a line."""
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or file.role not in JUDGED or file.language not in CODE:
            continue
        for number, line in _lines(file):
            for found in READ.finditer(line):
                name = found["call"] or found["key"] or found["member"]
                if is_variable(name):
                    span = Span(file.path, number, found.start() + 1, number, found.end() + 1)
                    yield Disclosure(span, name, "", Kept.SECRET, Sink.CLIENT, name)
                    break


def _lines(file: SourceFile) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.data.decode("utf-8", "replace").split("\n"), start=1):
        if len(line) <= LINE and not line.lstrip().startswith(("#", "//", "*", "/*")):
            yield number, line
