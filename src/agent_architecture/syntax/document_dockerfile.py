"""Dockerfiles to the IR: a `List` of calls in source order, one an instruction.

`Call(Name("COPY"), args)`: flags (`--from=build`) and the names that ENV, ARG and LABEL set are keyword arguments; a
command in shell form is one literal, in exec form a `List`; a heredoc's body is one more literal. `ONBUILD` and
`HEALTHCHECK` hold a call.
Source: the Dockerfile reference, syntax 1.x (directives, line continuation, comments, heredocs, exec form).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax.document_docker_lines import logical_lines
from agent_architecture.syntax.ir import Argument, Call, List, Name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax.document_docker_lines import Line
    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Expr

_COMMANDS: Final = frozenset({"RUN", "CMD", "ENTRYPOINT", "SHELL"})
_SETTERS: Final = frozenset({"ENV", "ARG", "LABEL"})
_HOLDERS: Final = frozenset({"ONBUILD", "HEALTHCHECK"})
_KNOWN: Final = (
    frozenset(["ADD", "COPY", "EXPOSE", "FROM", "MAINTAINER", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR"])
    | _COMMANDS
    | _SETTERS
    | _HOLDERS
)
_INSTRUCTION = regex(r"\s*([A-Za-z]+)(?=\s|\Z)\s*")
_FLAG = regex(r"--([\w\-]+)(=)?(\S*)\s*")
_WORD = regex(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+""", re.DOTALL)
_QUOTED = regex(r"""\"((?:\\.|[^"\\])*)\"|'([^']*)'""", re.DOTALL)
_SETTING = regex(r"\s*([^\s=\"']+)=((?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s\"'\\]|[\"'\\])*)\s*", re.DOTALL)
_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_EXEC_FORM = regex(rf"\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*)?\]\s*\Z")


def read_dockerfile(document: Document) -> tuple[Expr, ...]:
    """The one list of the file's instructions. A line that is none is remarked."""
    calls: list[Expr] = []
    for line in logical_lines(document):
        if found := _INSTRUCTION.match(line.text):
            name = found[1].upper()
            if name not in _KNOWN:
                document.remark(line.at(found.start(1)), f"unknown instruction {name[:40]!r}")
            calls.append(_call(document, line, found, nested=False))
        else:
            document.remark(line.at(0), "a line that is no instruction")
    return (List(document.span(0, len(document.text)), tuple(calls)),)


def _call(document: Document, line: Line, found: re.Match[str], *, nested: bool) -> Call:
    name = found[1].upper()
    args, at = _flags(document, line, found.end())
    inner = None if nested or name not in _HOLDERS else _INSTRUCTION.match(line.text, at)
    if inner and inner[1].upper() in _KNOWN:
        args.append(Argument(None, _call(document, line, inner, nested=True)))
    elif _EXEC_FORM.match(line.text, at):
        args.append(Argument(None, _exec_form(document, line, at)))
    elif name in _COMMANDS:
        args.extend(_command(document, line, at))
    elif name in _SETTERS:
        args.extend(_settings(document, line, at))
    else:
        args.extend(_words(document, line, at))
    if not nested:
        args.extend(Argument(None, document.literal(*body)) for body in line.heredocs)
    callee = Name(document.span(line.at(found.start(1)), line.at(found.end(1) - 1) + 1), name)
    return Call(document.span(line.at(found.start(1)), line.end), callee, tuple(args))


def _flags(document: Document, line: Line, at: int) -> tuple[list[Argument], int]:
    args = []
    while found := _FLAG.match(line.text, at):
        value: str | bool = found[3] if found[2] else True
        group = 3 if found[2] else 1
        args.append(Argument(found[1], document.literal(*line.places(*found.span(group)), value)))
        at = found.end()
    return args, at


def _exec_form(document: Document, line: Line, at: int) -> List:
    items = [
        document.literal(*line.places(*found.span()), _json_string(found[0]))
        for found in re.compile(_STRING).finditer(line.text, at)
    ]
    return List(document.span(*line.places(at, len(line.text.rstrip()))), tuple(items))


def _json_string(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text[1:-1]


def _command(document: Document, line: Line, at: int) -> Iterator[Argument]:
    text = line.text[at:].rstrip()
    if text:
        yield Argument(None, document.literal(*line.places(at, at + len(text)), text))


def _settings(document: Document, line: Line, at: int) -> Iterator[Argument]:
    """`NAME=value …`; `ENV NAME the rest` is the old form; `ARG NAME` sets nothing."""
    old_form = not _SETTING.match(line.text, at) and line.text[:at].strip().upper() in {"ENV", "LABEL"}
    if old_form and (name := _WORD.match(line.text, at)):
        value = line.text[name.end() :].strip()
        start = line.text.find(value, name.end())
        yield Argument(name[0], document.literal(*line.places(start, start + len(value)), value))
        return
    while at < len(line.text):
        if found := _SETTING.match(line.text, at):
            yield Argument(found[1], document.literal(*line.places(*found.span(2)), _unquoted(found[2])))
            at = found.end()
        else:
            word = _WORD.search(line.text, at)
            if not word:
                return
            yield Argument(None, document.literal(*line.places(*word.span()), _unquoted(word[0])))
            at = word.end()


def _words(document: Document, line: Line, at: int) -> Iterator[Argument]:
    for found in _WORD.finditer(line.text, at):
        yield Argument(None, document.literal(*line.places(*found.span()), _unquoted(found[0])))


def _unquoted(word: str) -> str:
    return _QUOTED.sub(
        lambda found: re.sub(r"\\([\"\\$])", r"\1", found[1]) if found[1] is not None else found[2], word
    )
