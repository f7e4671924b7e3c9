"""Objects of one class that are agents of their own: each is made with what it is called and what it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.callers import constructions, passed_argument
from agent_architecture.names.classes import constructor, fields
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Const, Entries, Instance, Unknown
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

NAMES: Final = ("name", "agent_name", "agentName", "role", "title", "persona", "id", "agent_id", "agentId")
"""What an agent is called, the best name first."""
TOLD: Final = frozenset({
    "backstory", "goal", "instruction", "instructions", "persona", "role", "system", "system_instruction",
    "systemInstruction", "system_message", "systemMessage", "system_prompt", "systemPrompt", "sys_prompt",
})  # fmt: skip
"""What an agent is told of itself."""
PROMPTS: Final = frozenset({"prompt", "prompt_template", "promptTemplate"})
"""What a model is told, by an agent or by whatever else asks one."""
HOLDING: Final = ("config", "options", "opts", "settings", "spec", "definition", "params", "props")
"""Parameters that hold such parts together."""
SEVERAL: Final = 2


class Made(NamedTuple):
    """An object of an agent's class, with its name ("" where none can be read)."""

    cls: ir.Class
    call: ir.Call
    name: str


def is_told_apart(program: Program, cls: ir.Class) -> bool:
    """Whether the objects of a class are given what they are called and what they are told of themselves."""
    taken = frozenset(_parameters(program, cls))
    told = taken & TOLD
    return bool(told) and any(name in taken and told != {name} for name in NAMES)


def made_apart(program: Program, cls: ir.Class) -> tuple[Made, ...]:
    """The objects of a class that are made with a name or with what they are told, where there are several; none where
    all are alike.
    """
    found, told_apart = [], set()
    role = program.module_of(cls).role  # an example's objects are no agents of the application
    for one, call in constructions(program, cls):
        is_own = one is cls and program.module_of(call).role is role
        given = _given(program, one, call) if is_own else {}
        if given.keys() & {*NAMES, *TOLD, *PROMPTS}:
            name = _text(program, given, NAMES)
            found.append(Made(one, call, name))
            told_apart.add(name or _text(program, given, (*sorted(TOLD), *PROMPTS)) or call.span)
    return tuple(found) if len(told_apart) >= SEVERAL else ()


def _parameters(program: Program, cls: ir.Class) -> Iterator[str]:
    """What an object is made with by name, the fields of the one object that it takes included."""
    made = constructor(program, cls)
    if made is None:
        yield from fields(program, cls)
        return
    for param in made.params:
        yield param.name
        for value in instances_of_type(program, param.annotation) if param.annotation is not None else ():
            if isinstance(value, Instance):
                yield from program.attributes(value.cls)


def _given(program: Program, cls: ir.Class, call: ir.Call) -> Mapping[str, ir.Expr]:
    """What a construction gives by the names of parameters, or of keys of the one object that it gives."""
    made = constructor(program, cls)
    found: dict[str, ir.Expr] = {}
    names = [param.name for param in made.params] if made is not None else list(fields(program, cls))
    for argument in call.args:
        if argument.keyword is not None:
            found[argument.keyword] = argument.value
    if made is not None:
        for param in made.params:
            passed = passed_argument(CallSite(call, program.scope_of(call)), made, param)
            if passed is not None and not isinstance(passed, Unknown):
                found[param.name] = passed
    else:
        plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
        found |= dict(zip(names, plain, strict=False))
    for key, expr in tuple(found.items()):
        if key in HOLDING or len(found) == 1:
            found = {**dict(_held(program, expr)), **found}
    return found


def _held(program: Program, expr: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    for value in program.value_of(expr):
        if isinstance(value, Entries):
            yield from value.entries
        elif isinstance(value, Instance) and value.call is not None:
            yield from ((one.keyword, one.value) for one in value.call.args if one.keyword is not None)


def _text(program: Program, given: Mapping[str, ir.Expr], keys: Iterable[str]) -> str:
    """The first of these parts that is a constant text."""
    for key in keys:
        for value in program.value_of(given[key]) if key in given else ():
            if isinstance(value, Const) and isinstance(value.value, str):
                return value.value
    return ""
