"""Secrets that stand in files, and reads of secrets from the environment. Reads texts; follows nothing further."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.presence_tests import is_only_asked_at
from agent_architecture.semantics.topics.secrets.secrets import (
    FORMS,
    HINT,
    NAMED,
    PASSWORD,
    Words,
    is_default,
    is_key,
    is_secret_name,
    is_value,
    is_variable,
    opens,
)
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile

JUDGED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})
DOCUMENTS: Final = frozenset(
    {Language.JSON, Language.YAML, Language.TOML, Language.ENV, Language.DOCKERFILE, Language.PROMPT}
)
LOCKS: Final = regex(r"(?:^|/)[^/]*(?:lock|\.min\.js|shrinkwrap)[^/]*$")
SAMPLE: Final = regex(r"(?:^|[./_-])(?:example|sample|template|dist|defaults?)(?:[./_-]|$)", re.IGNORECASE)
"""Files that show which settings there are."""
READING: Final = Words((), (b"env", b"config(", b"userdata.get", b"st.secrets"))
"""A part of every such read: cheap to look for."""

READ: Final = regex(
    r"""(?:os\.getenv|\bgetenv|environ\.get|Deno\.env\.get|\benv\.get|userdata\.get|\bconfig)\(\s*["'](?P<call>[A-Za-z]\w*)["']"""
    r"""|(?:environ|process\.env|st\.secrets|import\.meta\.env)\[\s*["'](?P<key>[A-Za-z]\w*)["']\s*\](?!\s*=[^=])"""
    r"""|(?:process\.env|import\.meta\.env)\.(?P<member>[A-Za-z]\w*)(?!\s*=[^=])"""
)
"""Reads of variables, in both languages."""
DEFAULT: Final = regex(
    r"""\s*+(?:,\s*+(?:default\s*+=\s*+)?|\)?\s*+(?:\|\||\?\?|or)\s*+)["'](?P<value>[^"'\s]++)["']"""
)
"""What stands behind a read, and is taken where the variable is not set."""
KEPT: Final = regex(r"""(?P<name>[A-Za-z_][\w-]*)["']?\s*(?::\s*(?:str|string))?\s*(?:=|:)\s*(?:\w+\.)*$""")
"""What a line calls that which stands behind it."""
SET: Final = regex(
    r"""(?P<name>[A-Za-z_][\w-]*)["']?\s*(?:=|:)\s*(?:["'](?P<value>[^"'\s]{1,80})["']|(?P<number>\d{2,5})\b)"""
)
"""Something with a name that is set to a word or a number."""
AROUND: Final = 9
"""Lines of one object, at most, before and behind one of them."""
LINE: Final = 2000
"""Longer lines are data."""


def written(context: Context) -> Iterator[Disclosure]:
    """The secrets that stand in code and configuration, one a line."""
    for file in context.program.table.files():
        if file.role in JUDGED and file.language in CODE | DOCUMENTS and LOCKS.search(file.path) is None:
            yield from _in_file(file)


def of_variables(context: Context) -> Iterator[Disclosure]:
    """Those that stand in files which set variables of the environment."""
    for file in context.program.table.files():
        if file.role in JUDGED and file.language is Language.ENV:
            yield from _in_file(file)


def _in_file(file: SourceFile) -> Iterator[Disclosure]:
    """What shows which settings there are holds none, but for a key in a provider's own form."""
    is_sample, sets = SAMPLE.search(file.path) is not None, file.language is Language.ENV
    if is_sample and not sets:
        return
    for number, line, name in told(file, _of_keys if is_sample else _of_variables if sets else _of_lines):
        span = Span(file.path, number, 1, number, len(line) + 1)
        sure = Confidence.HIGH if FORMS.search(line) else Confidence.MEDIUM
        yield Disclosure(span, name, "", Kept.SECRET, Sink.CODE, name, confidence=sure)


def _of_lines(data: bytes) -> tuple[tuple[int, str, str], ...]:
    """The lines with a secret, by number, with its name."""
    rows: list[str] = []
    found: list[tuple[int, str, str]] = []
    for number, line in _lines(data, HINT):
        name = _secret(line)
        if name is None and PASSWORD.search(line) is not None:
            rows = rows or data.decode("utf-8", "replace").split("\n")
            name = _opening(rows, number - 1)
        if name is not None:
            found.append((number, line, name))
    return tuple(found)


def _opening(rows: list[str], at: int) -> str | None:
    """The name of a password in a line that is a word, with an account in the same line or the lines around it."""
    own = [pair for pair in SET.finditer(rows[at]) if pair["value"] is not None and PASSWORD.search(pair["name"])]
    if not own:
        return None
    near = [*reversed(_around(rows, at, -1)), *reversed(_around(rows, at, 1)), rows[at]]
    near = near if len(list(SET.finditer(rows[at]))) == 1 else [rows[at]]
    beside = {pair["name"]: pair["value"] or pair["number"] for row in near for pair in SET.finditer(row)}
    return next((pair["name"] for pair in own if opens(pair["name"], pair["value"], beside)), None)


def _around(rows: list[str], at: int, step: int) -> list[str]:
    """The lines before or behind one that stand as far in as it does."""
    depth, found = _depth(rows[at]), list[str]()
    for number in range(1, AROUND):
        place = at + step * number
        if not 0 <= place < len(rows) or _depth(rows[place]) != depth:
            break
        found.append(rows[place])
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _of_variables(data: bytes) -> tuple[tuple[int, str, str], ...]:
    """The same of a file that sets variables of the environment."""
    found = ((number, line, _secret(line, is_set=True)) for number, line in _lines(data, None))
    return tuple((number, line, name) for number, line, name in found if name is not None)


def _of_keys(data: bytes) -> tuple[tuple[int, str, str], ...]:
    """The lines that set a variable to what has the form of a provider's key; an address with a password is a form,
    too, and an example as it stands.
    """
    lines = ((number, line) for number, line in _lines(data, HINT) if "://" not in line and is_key(line))
    return tuple((number, line, line.partition("=")[0].strip()) for number, line in lines)


def _secret(line: str, *, is_set: bool = False) -> str | None:
    if is_set and is_key(line):
        return line.partition("=")[0].removeprefix("export ").strip()
    if is_key(line):
        found = FORMS.search(line)
        named = NAMED.search(line)
        return named["name"] if named else found[0][:6] + "…" if found else None
    if is_set:
        name, _, value = line.partition("=")
        value = value.strip().strip("\"'")
        return name.strip() if is_variable(name.strip()) and is_value(value, name) else None
    for read in READ.finditer(line):
        name = _variable(read)
        default = DEFAULT.match(line, read.end()) if is_variable(name) else None
        if default is not None and is_default(default["value"], name):
            return name
    for found in NAMED.finditer(line):
        if is_secret_name(found["name"]) and is_value(found["value"], found["name"]):
            return found["name"]
    return None


def reads(context: Context) -> Iterator[Disclosure]:
    """The reads of secrets in the program, one a line; to ask whether one is there is none."""
    for module in context.program.modules:
        file = context.program.table.file(module.path)
        if file is None or file.role not in JUDGED or file.language not in CODE:
            continue
        for number, start, end, name in told(file, _read_in):
            span = Span(file.path, number, start, number, end)
            if not is_only_asked_at(context.program, span, name):
                yield Disclosure(span, name, "", Kept.SECRET, Sink.CLIENT, name)


def _read_in(data: bytes) -> tuple[tuple[int, int, int, str], ...]:
    """The first read of a secret in each line, by its columns, with its name."""
    found: list[tuple[int, int, int, str]] = []
    for number, line in _lines(data, READING):
        named = ((read, _variable(read)) for read in READ.finditer(line) if _secret(line) != _variable(read))
        secret = ((read, name) for read, name in named if is_variable(name) or _is_kept(line[: read.start()]))
        read, name = next(secret, (None, ""))
        if read is not None:
            found.append((number, read.start() + 1, read.end() + 1, name))
    return tuple(found)


def _variable(read: re.Match[str]) -> str:
    """The name of a variable that is read."""
    return read["call"] or read["key"] or read["member"]


def _is_kept(before: str) -> bool:
    """Whether what is read is kept under a secret's name, by what stands before it."""
    kept = KEPT.search(before)
    return kept is not None and is_secret_name(kept["name"])


def _lines(data: bytes, words: Words | None) -> Iterator[tuple[int, str]]:
    """The lines that are no comments and no data, by number; of words only those in which one stands."""
    for number, line in _all_lines(data) if words is None else _with(data, words):
        if len(line) <= LINE and not line.lstrip().startswith(("#", "//", "*", "/*")):
            yield number, line


def _all_lines(data: bytes) -> Iterator[tuple[int, str]]:
    return enumerate(data.decode("utf-8", "replace").split("\n"), start=1)


def _with(data: bytes, words: Words) -> Iterator[tuple[int, str]]:
    """The lines in which one of these words stands, by number. No word has a line's end in it."""
    starts = {*_starts(data.lower(), words.in_any_case), *_starts(data, words.as_written)}
    number, before = 1, 0
    for start in sorted(starts):
        number += data.count(b"\n", before, start)
        before = start
        end = data.find(b"\n", start)
        yield number, data[start : end if end >= 0 else None].decode("utf-8", "replace")


def _starts(data: bytes, words: tuple[bytes, ...]) -> Iterator[int]:
    """Where the lines begin in which these words stand: to look for one word after the other is faster than for all."""
    for word in words:
        place = data.find(word)
        while place >= 0:
            yield data.rfind(b"\n", 0, place) + 1
            end = data.find(b"\n", place)
            place = data.find(word, end) if end >= 0 else -1
