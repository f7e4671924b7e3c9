"""Records of every variable of the environment: `print(os.environ)`, and a loop over them that prints each.

All that a process is told by its environment stands in the log then, its secrets among it; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.names.log_calls import LEVELS
from agent_architecture.names.program import callee_name
from agent_architecture.names.whole_environment import environment_in
from agent_architecture.semantics.effects.records import is_log
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.disclosure.printed import PRINT, is_for_terminal
from agent_architecture.semantics.topics.disclosure.settings import WHOLE
from agent_architecture.semantics.topics.secrets.literals import JUDGED
from agent_architecture.sources.byte_answers import told
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.matching.context import Context

SPELLING: Final = frozenset({"str", "repr", "dumps", "pformat", "stringify", "inspect", "sorted", "list"})
"""Calls that write all of what they are given down."""
NAME: Final = "every variable of the environment"


def environment_dumps(context: Context) -> Iterator[Disclosure]:
    """One for each call."""
    for name in sorted({"print", *LEVELS}):
        for site in context.program.calls(name):
            if _is_judged(context, site) and any(_is_whole(context.program, a.value, site) for a in site.call.args):
                span, symbol = site.call.span, called(site.call)
                yield Disclosure(span, symbol, "", Kept.SECRET, Sink.LOG, NAME, confidence=Confidence.HIGH)


def _is_judged(context: Context, site: CallSite) -> bool:
    """Whether a call writes a record of a file that speaks of the environment as a whole, and is no program for the
    terminal.
    """
    path = site.call.span.path
    file = context.program.table.file(path)
    if file is None or file.role not in JUDGED or not told(file, WHOLE.is_in) or is_for_terminal(context, path):
        return False
    is_print = any(api.path == PRINT for api in resolved(context.program, site.call.callee))
    return is_print or is_log(context, site.call)


def _is_whole(program: Program, text: ir.Expr, site: CallSite) -> bool:
    """Whether a text tells all variables, or one after the other."""
    match text:
        case ir.Template(parts=parts):
            return any(_is_whole(program, part, site) for part in parts if not isinstance(part, ir.Literal))
        case ir.Call(callee=callee, args=(first, *_)) if callee_name(callee) in SPELLING:
            return _is_whole(program, first.value, site)
        case ir.Name(id=name) if name in _each_value(program, site):
            return True
        case _:
            return environment_in(program, text) is not None


def _each_value(program: Program, site: CallSite) -> frozenset[str]:
    """What the values of all variables are called in a loop around a call that leaves none out."""
    for around in program.structure(site.scope).ancestors(site.call):
        match around:
            case ir.If():
                return frozenset()
            case ir.Loop(kind="each", target=ir.List(items=(_, ir.Name(id=value))), source=source):
                return frozenset({value}) if environment_in(program, source) is not None else frozenset()
            case _:
                continue
    return frozenset()
