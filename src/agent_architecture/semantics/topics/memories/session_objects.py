"""Conversations that a project hangs on an object which a library keeps: `st.session_state.messages`.

The library's object outlives the run, and so does what hangs on it. A conversation counts where a container is put
there, grows there, and a model is asked with it; what only a page shows is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING
from agent_architecture.names.session_state import part_of
from agent_architecture.names.values import Api, Const, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.bounds.trims import TAKING, kept_of, size_kept
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.topics.memories.containers import is_answered
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.topics.memories.prompt_reads import Held, Recalled
    from agent_architecture.sources.source import Span

PUTTING: Final = frozenset({"set", "setdefault"})
"""Methods of such objects that put something under a key."""
SESSION: Final = regex(r"[.:](?:session_state|user_session|session)$")
"""Objects of which a library makes one for each browser session, and drops it with the session: Streamlit's
`session_state`, Chainlit's `user_session`, Flask's `session`.
"""


class _Kept(NamedTuple):
    """What a module does with one thing that hangs on a library's object."""

    made: list[Span]
    """Where a new container is put there."""
    put: list[ir.Node]
    bounds: list[Setting]
    taken: list[ir.Node]


def held(program: Program, read: Recalled) -> Iterator[ByHand]:
    """The memories, each once."""
    for one, reading in read.held.items():
        kept = _kept(program, one, program.module_of(reading)) if is_said(one.name) else None
        if kept is not None and kept.made and kept.put:
            yield ByHand(_memory(one, kept), tuple(kept.put), (reading,))


def _memory(one: Held, kept: _Kept) -> Memory:
    first, *others = sorted(set(kept.made))
    bound = next(iter(kept.bounds), ABSENT)
    is_session = SESSION.search(one.path) is not None
    emptied = next((span for span in (*(node.span for node in kept.taken), *others)), None)
    ends = default(True, "the session ends") if is_session and bound is not ABSENT else ABSENT
    return Memory(
        first,
        f"{one.path.rpartition('.')[2].rpartition(':')[2]}.{one.name}",
        "",
        Holding.CONVERSATION,
        default(False, "an object of the process"),
        bound=bound,
        overflow=ABSENT if bound is ABSENT else written("drop", bound.span or first),
        namespace=default("the session", "the library's own object for each session") if is_session else ABSENT,
        deletes=ends if emptied is None else written(True, emptied),
    )


def _kept(program: Program, one: Held, module: ir.Module) -> _Kept:
    kept = _Kept([], [], [], [])
    for scope in module.code:
        for node in program.structure(scope).nodes:
            match node:
                case ir.Assign(target=target, value=value, op=op):
                    if (_is_it if op else _is_part)(program, one, target):
                        _assigned(program, one, kept, node)
                    elif isinstance(target, ir.Index) and _is_holder(program, one, target.target):
                        kept.made.extend(_named(program, one, target.key) if _may_be_made(program, value) else ())
                case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING | TAKING:
                    if _is_it(program, one, target):
                        (kept.put if name in GROWING else kept.taken).append(node)
                    elif name in PUTTING and _is_under(one, node) and _is_holder(program, one, target):
                        _given(program, one, kept, node.span, node.args[1].value)
                case _:
                    continue
    return kept


def _assigned(program: Program, one: Held, kept: _Kept, node: ir.Assign) -> None:
    if node.op or is_answered(program, node.value, one.name):
        kept.put.append(node)
    else:
        _given(program, one, kept, node.span, node.value)


def _given(program: Program, one: Held, kept: _Kept, span: Span, value: ir.Expr | None) -> None:
    """What is put there anew: a part of what was there, or a new container."""
    size = kept_of(value, one.name)
    if size is not None:
        kept.bounds.append(size_kept(program, size))
    elif is_container(value):
        kept.made.append(span)


def _may_be_made(program: Program, value: ir.Expr | None) -> bool:
    return value is not None and any(isinstance(each, (Items, Entries)) for each in program.value_of(value))


def _is_under(one: Held, call: ir.Call) -> bool:
    """Whether a call puts something under the name: `session.set("history", [])`."""
    key = call.args[0].value if len(call.args) > 1 else None
    return isinstance(key, ir.Literal) and key.value == one.name


def _is_it(program: Program, one: Held, node: ir.Expr) -> bool:
    """Whether an expression is what hangs there, under its name, or a variable for it."""
    if isinstance(node, ir.Name):
        bound = visible_bindings(program, node)
        return any(b.kind == "assign" and b.value is not None and _is_part(program, one, b.value) for b in bound)
    return _is_part(program, one, node)


def _is_part(program: Program, one: Held, node: ir.Expr) -> bool:
    part = part_of(node)
    return part is not None and part[1] == one.name and _is_holder(program, one, part[0])


def _is_holder(program: Program, one: Held, node: ir.Expr) -> bool:
    return any(isinstance(value, Api) and value.path == one.path for value in program.value_of(node))


def _named(program: Program, one: Held, key: ir.Expr) -> Iterator[Span]:
    """Where the name is written that a key may be: `for key, first in [("history", []), …]: state[key] = first`."""
    if isinstance(key, ir.Name):
        yield from (v.span for v in program.value_of(key) if isinstance(v, Const) and v.value == one.name)
