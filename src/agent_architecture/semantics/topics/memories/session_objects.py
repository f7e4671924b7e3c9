"""Conversations that a project hangs on an object which a library keeps: `st.session_state.messages`.

The library's object outlives the run, and so does what hangs on it. A conversation counts where a container is put
there, grows there, and a model is asked with it; what only a page shows is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names.mutations import GROWING
from agent_architecture.names.session_state import kept_as
from agent_architecture.names.values import Api
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.trims import TAKING, kept_of, size_kept
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.topics.memories.containers import is_answered, is_container
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.topics.memories.prompt_reads import Held, Recalled

SESSION: Final = regex(r"[.:](?:session_state|user_session|session)$")
"""Objects of which a library makes one for each browser session, and drops it with the session: Streamlit's
`session_state`, Chainlit's `user_session`, Flask's `session`.
"""


class _Kept(NamedTuple):
    """What a module does with one thing that hangs on a library's object."""

    made: tuple[ir.Assign, ...]
    """Where a new container is put there."""
    put: tuple[ir.Node, ...]
    bounds: tuple[Setting, ...]
    taken: tuple[ir.Node, ...]


def held(program: Program, read: Recalled) -> Iterator[ByHand]:
    """The memories, each once."""
    for one, reading in read.held.items():
        kept = _kept(program, one, program.module_of(reading)) if is_said(one.name) else None
        if kept is not None and kept.made and kept.put:
            yield ByHand(_memory(one, kept), kept.put, (reading,))


def _memory(one: Held, kept: _Kept) -> Memory:
    first, *others = kept.made
    bound = next(iter(kept.bounds), ABSENT)
    is_session = SESSION.search(one.path) is not None
    emptied = next((node.span for node in (*kept.taken, *others)), None)
    ends = default(True, "the session ends") if is_session and bound is not ABSENT else ABSENT
    return Memory(
        first.span,
        f"{one.path.rpartition('.')[2].rpartition(':')[2]}.{one.name}",
        "",
        Holding.CONVERSATION,
        default(False, "an object of the process"),
        bound=bound,
        overflow=ABSENT if bound is ABSENT else written("drop", bound.span or first.span),
        namespace=default("the session", "the library's own object for each session") if is_session else ABSENT,
        deletes=ends if emptied is None else written(True, emptied),
    )


def _kept(program: Program, one: Held, module: ir.Module) -> _Kept:
    made: list[ir.Assign] = []
    put: list[ir.Node] = []
    taken: list[ir.Node] = []
    bounds: list[Setting] = []
    for scope in module.code:
        for node in program.structure(scope).nodes:
            match node:
                case ir.Assign(target=target, value=value, op=op) if _is_it(program, one, target):
                    size = kept_of(value, one.name)
                    if size is not None:
                        bounds.append(size_kept(program, size))
                    elif is_container(value) and not op:
                        made.append(node)
                    elif op or is_answered(program, value, one.name):
                        put.append(node)
                case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING | TAKING:
                    if _is_it(program, one, target):
                        (put if name in GROWING else taken).append(node)
                case _:
                    continue
    return _Kept(tuple(sorted(made, key=lambda each: each.span)), tuple(put), tuple(bounds), tuple(taken))


def _is_it(program: Program, one: Held, node: ir.Expr) -> bool:
    """Whether an expression is what hangs there, under its name."""
    if kept_as(node) != one.name or not isinstance(node, (ir.Member, ir.Index)):
        return False
    return any(isinstance(value, Api) and value.path == one.path for value in program.value_of(node.target))
