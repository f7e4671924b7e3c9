"""Aliases: many API paths name one thing. The longest aliased prefix of a path is replaced until none is left.

`py:langgraph.graph.state.StateGraph().compile` becomes `py:langgraph.graph.StateGraph().compile`. An alias may also say
that an object of one class is a kind of another (`py:langchain_openai.ChatOpenAI()` is a
`py:langchain_core.language_models.BaseChatModel()`). A name that ends with `.*` stands for every member that is not
called but looked into: `PrismaClient().*` is the `PrismaClient().user` of `PrismaClient().user.findMany`, and nothing
of `PrismaClient().$queryRaw()`. Of two methods of one class, the alias is the one that runs the other, which a subclass
may write (`Module().__call__` runs `Module().forward`; see `Packs.methods_run`). A class with its
parameters is the class.

Knows paths; must not know rows or TOML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from agent_architecture.errors import PackError
from agent_architecture.regexes import regex
from agent_architecture.semantics.packs.api_paths import boundaries

_GENERIC: Final = regex(r"([.:][A-Z]\w*[a-z]\w*)\[\](?=\(|$)")
"""A class with its parameters, `Agent[Context]`: the class."""
MAX_STEPS: Final = 24
"""Steps that do not make a path shorter: packs have chains of 4, and a loop of aliases ends here."""


class Aliases:
    """A table of aliases, checked to be free of loops. Answers are remembered."""

    __slots__ = ("_known", "_open", "_targets")

    def __init__(self, targets: Mapping[str, str]) -> None:
        """`targets` maps canonical paths to canonical paths. Raises `PackError` when a name comes back to itself."""
        self._targets = dict(targets)
        self._known: dict[str, str] = {}
        self._open = any(name.endswith(".*") for name in self._targets)
        for name in sorted(self._targets):
            if self._follow(name) is None:
                raise PackError(f"the alias {name!r} leads back to itself")

    def resolve(self, path: str) -> str:
        """The one name of a canonical path: itself when no alias applies."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._follow(path) or path
        return known

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every alias name with the path that it stands for in the end."""
        return ((name, self.resolve(name)) for name in self._targets)

    def _follow(self, path: str) -> str | None:
        """The end of the chain of aliases, or None when there is no end."""
        steps = 0
        while steps < MAX_STEPS:
            following = self._replaced(path)
            if following == path:
                return path
            steps += len(following) >= len(path)  # a chain of calls may be as long as it likes, for it gets shorter
            path = following
        return None

    def _replaced(self, path: str) -> str:
        for end in boundaries(path):
            target = self._targets.get(path[:end]) or self._any_member(path, end)
            if target is not None:
                return _joined(target, path[end:])
        return _without_default(_GENERIC.sub(r"\1", path))

    def _any_member(self, path: str, end: int) -> str | None:
        """The target for any member, if one stands before `end` and is looked into."""
        start = path.rfind(".", 0, end)
        if not self._open or start < 0 or path[end : end + 1] != "." or path[end - 1] in ")]":
            return None
        return self._targets.get(f"{path[:start]}.*")


def _joined(target: str, rest: str) -> str:
    """`target` followed by the steps in `rest`, with exactly one separator between them."""
    if not rest or rest[0] in ".([":
        return target + (rest[1:] if rest and target.endswith(":") and rest[0] == "." else rest)
    return target + rest if target.endswith(":") else f"{target}.{rest}"


def _without_default(path: str) -> str:
    """JavaScript interop: a module called is its default, and a member of the default export is one of the module."""
    if not path.startswith("npm:"):
        return path
    start = path.index(":", 4) + 1
    members = path[start:]
    if members.startswith("()"):
        return f"{path[:start]}default{members}"
    return path[:start] + members.removeprefix("default.")
