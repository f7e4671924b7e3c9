"""API paths: the one spelling by which packs and resolved code name a thing of a library.

`py:langgraph.graph:StateGraph().compile().invoke`, `npm:@openai/agents:Runner().run`. `()` is the result of the call
before it, `[]` an element, a final `.*` any member (in aliases alone). This module knows the grammar of the spelling
alone; it must not know packs or libraries.

The canonical form, used at run time: Python has dots throughout (`py:langgraph.graph.StateGraph()`); npm keeps one `:`
after the specifier (`npm:@openai/agents:Runner().run`; an empty member path is the module itself: `npm:zod:`), and
drops `node:`.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from agent_architecture.errors import PackError
from agent_architecture.regexes import regex

MAX_EXPANSIONS: Final = 2000
"""More paths than this in one string are a mistake in the pack, not a family of names."""
MAX_NESTING: Final = 20
"""Braces inside braces deeper than this are a mistake, too; the bound keeps the recursion small."""

_MEMBERS: Final = r"(?:[A-Za-z_$][\w$]*|\(\)|\[\])(?:\.[A-Za-z_$][\w$]*|\(\)|\[\])*"
_PYTHON: Final = regex(r"py:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\(\)|\[\])*(?:\.\*)?")
_NPM: Final = regex(rf"npm:(?:@[\w.~-]+/)?[\w.~-]+(?:/[\w.~-]+)*:(?:{_MEMBERS}(?:\.\*)?)?")
_STEP_START: Final = regex(r"[.(\[]")


def expand(text: str) -> tuple[str, ...]:
    """All the spellings that `text` stands for: `a.{b,c{d,e}}` is `a.b`, `a.cd`, `a.ce`, in this order.

    An alternative may be empty (`{,a}invoke`). Raises `PackError` when braces do not match or stand for too many paths.
    """
    spellings, end = _alternatives(text, 0, 0)
    if end != len(text):
        raise PackError(f"{text!r} has a '}}' without its '{{'")
    return spellings


def _alternatives(text: str, start: int, depth: int) -> tuple[tuple[str, ...], int]:
    """The spellings from `start` up to the closing brace of this depth (or the end), and where they end."""
    if depth > MAX_NESTING:
        raise PackError(f"{text[:60]!r} nests braces too deeply")
    done: list[str] = []
    parts: list[tuple[str, ...]] = []
    here = start
    while here < len(text):
        mark = text[here]
        if mark == "{":
            inner, end = _alternatives(text, here + 1, depth + 1)
            if end == len(text):
                raise PackError(f"{text!r} has a '{{' without its '}}'")
            parts.append(inner)
            here = end + 1
        elif mark == "}":
            break
        elif mark == "," and depth:
            done += _joined(parts, text)
            parts = []
            here += 1
        else:
            end = _plain_end(text, here, depth)
            parts.append((text[here:end],))
            here = end
    return (*done, *_joined(parts, text)), here


def _plain_end(text: str, start: int, depth: int) -> int:
    end = start
    while end < len(text) and text[end] not in "{}" and not (depth and text[end] == ","):
        end += 1
    return end


def _joined(parts: list[tuple[str, ...]], text: str) -> list[str]:
    size = 1
    for part in parts:
        size *= len(part)
    if size > MAX_EXPANSIONS:
        raise PackError(f"{text[:60]!r} stands for more than {MAX_EXPANSIONS} paths")
    return ["".join(choice) for choice in product(*parts)]


def canonical(text: str) -> str:
    """The run-time form of one path without braces. Raises `PackError` when it is no path."""
    ecosystem, _, rest = text.partition(":")
    if ecosystem == "py":
        path = "py:" + _python(rest)
        valid = _PYTHON.fullmatch(path)
    elif ecosystem == "npm":
        specifier, _, members = rest.removeprefix("node:").partition(":")
        path = f"npm:{specifier}:{members}"
        valid = _NPM.fullmatch(path)
    else:
        raise PackError(f"{text!r} is no API path: it starts with 'py:' or 'npm:'")
    if valid is None:
        raise PackError(f"{text!r} is no API path")
    return path


def _python(rest: str) -> str:
    module, _, members = rest.partition(":")
    if not members:
        return module
    return module + members if members[0] in "([" else f"{module}.{members}"


def last_name(path: str) -> str:
    """The name that an index of calls has: `invoke` of `py:a.B().invoke`, `B` of `py:a.B()`; "" for none."""
    name = path.rstrip("()[]")
    return name[max(name.rfind("."), name.rfind(":"), name.rfind(")"), name.rfind("]")) + 1 :]


def ecosystem_of(path: str) -> str:
    """`pypi` for a Python path, `npm` for an npm path."""
    return "pypi" if path.startswith("py:") else "npm"


def root_of(path: str) -> str:
    """What an import of `path` names first: `py:langgraph` of `py:langgraph.graph.StateGraph()`, `npm:@scope/name` of
    `npm:@scope/name/part:member`.
    """
    if path.startswith("py:"):
        end = _STEP_START.search(path, 3)
        return path[: end.start()] if end else path
    parts = path[4:].partition(":")[0].split("/")
    return "npm:" + "/".join(parts[: 2 if parts[0].startswith("@") else 1])


def boundaries(path: str) -> tuple[int, ...]:
    """Where a prefix of a canonical path may end, longest first: at the end, before each step, after the specifier."""
    start = path.find(":", 4) + 1 if path.startswith("npm:") else 3
    ends = [found.start() for found in _STEP_START.finditer(path, start + 1)]
    ends.reverse()
    return (len(path), *ends, start) if start > len("py:") else (len(path), *ends)
