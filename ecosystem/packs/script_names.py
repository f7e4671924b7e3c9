"""Whether unpacked npm packages have what an API path names: `npm:openai:OpenAI().chat.completions.create`.

A step leads to several alternatives; one that has the wanted name is enough. What is awaited is its promise's value.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from ecosystem.packs.answers import ANY, CALL, ELEMENT, FOUND, Answer, State, best, missing, steps_of, unreadable
from ecosystem.packs.declarations import DEFAULT, Block
from ecosystem.packs.npm_packages import NpmPackages, split
from ecosystem.packs.script_scope import Meant, ScriptScope, Space
from ecosystem.packs.script_types import ScriptTypes, Typed

Value: TypeAlias = "Meant | Typed"
Reached: TypeAlias = "tuple[Value, ...] | Answer"
_PUTS_TOGETHER: Final = re.compile(rb"require\(|Object\.|for *\(|forEach")


class ScriptNames:
    """Answers for one set of packages."""

    def __init__(self, packages: NpmPackages) -> None:
        self._packages = packages
        self._scope = ScriptScope(packages)
        self._types = ScriptTypes(self._scope)
        self._known: dict[tuple[str, ...], Reached] = {}

    @property
    def outside(self) -> set[str]:
        """The packages that would have to be there, too."""
        return self._packages.outside

    def requirement(self, name: str) -> str:
        """The range of a further package that one of the unpacked asks for; "" when none does."""
        return self._packages.requirement(name)

    def ask(self, path: str) -> Answer:
        """Whether a canonical path (`npm:a:B().c`) is there."""
        specifier, _, members = path.removeprefix("npm:").partition(":")
        steps = steps_of(members)
        reached = self._reach((specifier, *(steps[:-1] if steps[-1:] == (ANY,) else steps)))
        return reached if isinstance(reached, Answer) else FOUND

    def _reach(self, steps: tuple[str, ...]) -> Reached:
        if steps not in self._known:
            self._known[steps] = self._module(steps[0]) if len(steps) == 1 else self._further(steps)
        return self._known[steps]

    def _module(self, specifier: str) -> Reached:
        blocks = self._scope.module(specifier) or self._packages.plain(specifier)
        if blocks:
            return tuple(Space(block) for block in blocks)
        name, subpath = split(specifier)
        if self._packages.has(name):
            return missing(f"{name} has no module {subpath}") if subpath else unreadable(f"{name} has no types")
        return unreadable(f"{name} is not among the unpacked packages")

    def _further(self, steps: tuple[str, ...]) -> Reached:
        before = self._reach(steps[:-1])
        if isinstance(before, Answer):
            return before
        if not before:
            return unreadable(f"what {text(steps[:-1])} is cannot be read")
        reached = [self._step(value, steps[-1], steps) for value in before]
        found = [values for values in reached if not isinstance(values, Answer)]
        if found:
            return tuple(dict.fromkeys(value for values in found for value in values))
        wrong = [answer for answer in reached if isinstance(answer, Answer)]
        plain = self._plain(steps) if len(steps) == 2 and not any(a.state == "unchecked" for a in wrong) else ()  # noqa: PLR2004 - a module and a name of it
        return plain or best(wrong)

    def _plain(self, steps: tuple[str, ...]) -> tuple[Value, ...]:
        """A name that only the code has, and no declaration."""
        blocks = self._packages.plain(steps[0])
        return tuple(value for block in blocks for value in self._scope.exported(block, steps[1]))

    def _step(self, value: Value, step: str, steps: tuple[str, ...]) -> Reached:
        if isinstance(value, Space):
            return self._in_space(value.block, step, steps)
        if step == CALL:
            found = tuple(self._types.called(value))
            return found or unreadable(f"what {text(steps)} returns cannot be read")
        if step == ELEMENT:
            found = tuple(self._types.elements(value))
            return found or unreadable(f"the elements of {text(steps[:-1])} cannot be read")
        return self._member(value, step, steps)

    def _in_space(self, block: Block, step: str, steps: tuple[str, ...]) -> Reached:
        """A name of a module. A module that is called is its default."""
        name = DEFAULT if step == CALL else step
        found = self._scope.exported(block, name)
        if found and step == CALL:
            return tuple(self._types.called(found[0])) or unreadable(f"what {text(steps)} returns cannot be read")
        if found:
            return found
        target = block.exported.get(name)
        if target is not None:
            return ()  # it is given on from a package that is not unpacked
        default = self._scope.exported(block, DEFAULT) if name != DEFAULT else ()
        for value in default:  # interop: a member of the default is one of the module
            reached = self._step(value, step, steps)
            if not isinstance(reached, Answer) or reached.state is State.UNCHECKED:
                return reached
        if name == DEFAULT and block.is_ambient:
            return (Space(block),)  # Node's modules are their own default
        if block.file.suffix in {".js", ".cjs", ".mjs"} and _PUTS_TOGETHER.search(block.file.read_bytes()):
            return unreadable(f"the code of {text(steps[:-1])} puts its names together, and has no types")
        elsewhere = [specifier for specifier in block.stars if not self._scope.module(specifier, block)]
        if elsewhere:
            return unreadable(f"{text(steps[:-1])} gives all of {elsewhere[0]}, which is not unpacked")
        return missing(f"{text(steps[:-1])} has no {name}")

    def _member(self, value: Value, step: str, steps: tuple[str, ...]) -> Reached:
        if isinstance(value, Space):
            return self._in_space(value.block, step, steps)
        members = self._types.member(value, step)
        if members.found is not None:
            return members.found
        if members.hidden:
            return unreadable(f"{text(steps[:-1])} is {members.hidden}")
        return missing(f"{text(steps[:-1])} has no {step}")

    def values(self, path: str) -> tuple[Value, ...]:
        """What a path leads to; nothing where it leads nowhere."""
        specifier, _, members = path.removeprefix("npm:").partition(":")
        reached = self._reach((specifier, *steps_of(members)))
        return () if isinstance(reached, Answer) else reached


def text(steps: tuple[str, ...]) -> str:
    """Steps as a path, for messages."""
    return f"{steps[0]}:{'.'.join(steps[1:])}".replace(".()", "()").replace(".[]", "[]").removesuffix(":")
