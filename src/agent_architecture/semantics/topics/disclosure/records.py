"""The calls by which a project writes a record: of libraries' loggers, of what services print, into files and tables
that are logs; each where the project decides what it says.

Must not know whose text it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import arguments_at
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.log_calls import LEVELS, LOGGING
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.default_off import off_by_default
from agent_architecture.semantics.effects.log_files import log_files
from agent_architecture.semantics.effects.log_tables import log_tables
from agent_architecture.semantics.effects.records import is_log, is_spoken
from agent_architecture.semantics.taint.boundaries import names_in
from agent_architecture.semantics.topics.disclosure.consoles import Consoles
from agent_architecture.semantics.topics.disclosure.listeners import Listeners
from agent_architecture.semantics.topics.disclosure.printed import printed
from agent_architecture.semantics.topics.secrets.literals import JUDGED
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context

SPEAKS: Final = "log"
_LEVELS: Final = "|".join(sorted(LOGGING))
WRAPPER: Final = regex(
    rf"^_*(?:{_LEVELS}|emit|record|print)(?:_\w+|[A-Z]\w*)?$"
    r"|^_*write$|^_*(?:append|write|save|add|print)(?:_(?:to_)?logs?(?:_\w+)?|(?:To)?Logs?(?:[A-Z]\w*)?)$"
)
"""What functions of the project are called that only write down what they are given."""
WRAPPERS: Final = 3
"""Such functions in each other."""
LEVEL: Final = regex(rf"^\W*(?:{_LEVELS}|silly)\W*$", re.IGNORECASE)
"""A text that only says how much a record matters."""
SPEAKER: Final = regex(r"[\[<(][^\])>]*[\])>]")
"""Who writes a record, and when, before what it says: `[desk]`."""


class Put(NamedTuple):
    """A record: the call that the project writes, and what it hands to it."""

    call: ir.Call
    scope: ir.Scope
    texts: tuple[ir.Expr, ...]
    spoken: bool = False
    """Whether it goes to the console of JavaScript."""
    shown: bool = False
    """Whether it goes to a terminal in which somebody started the program."""
    by: ir.Call | None = None
    """The call that writes it in the end, where `call` only leads to that."""


class Records:
    """The records of a program; `served` says of code whether it runs for several users, `tools` are the ids of the
    functions that models run: whatever these are called, what they write down is their own.
    """

    def __init__(self, context: Context, served: Served, tools: frozenset[int] = frozenset()) -> None:
        self._tools = tools
        self._context = context
        self._served = served
        self._listeners = Listeners(context)
        self._consoles = Consoles(context, served.answers)

    def all(self) -> Iterator[Put]:
        """Each once, those behind a switch that is off (`is_off`) included: few say anything of which that matters."""
        found = (*log_files(self._context), *log_tables(self._context))
        kept = (Put(site.call, site.scope, texts) for site, texts in found)
        judged = (first for first in (*self._spoken(), *kept) if self._is_judged(first.call))
        lifted = [put._replace(by=one.call) for one in judged for put in self._lifted(one, WRAPPERS)]
        by_call: dict[int, list[Put]] = {}
        for put in lifted:
            if self._is_judged(put.call):
                by_call.setdefault(id(put.call), []).append(put)
        for puts in by_call.values():
            yield next((put for put in puts[:-1] if not self.is_off(put)), puts[-1])

    def _serves(self, scope: ir.Scope) -> bool:
        """Whether code runs for several users, or is told of what runs for them: a hook of a service's agent."""
        if self._served.of(scope):
            return True
        is_told = isinstance(scope, ir.Function) and self._listeners.listens(scope)
        return is_told and self._served.is_beside_run(scope.span.path)

    def is_off(self, put: Put) -> bool:
        """Whether nothing is written as the project is: a switch that is off stands before it."""
        return off_by_default(self._context, put.by or put.call) is not None

    def _spoken(self) -> Iterator[Put]:
        for name in sorted(self._context.packs.effect_names(SPEAKS) | LEVELS):
            for site in self._context.program.calls(name):
                if self._is_record(site):
                    yield self._put(site, spoken=is_spoken(self._context, site.call))
        yield from map(self._put, printed(self._context, self._serves))

    def _put(self, site: CallSite, *, spoken: bool = False) -> Put:
        shown = spoken and not self._serves(site.scope) and self._consoles.is_script(site)
        return Put(site.call, site.scope, tuple(argument.value for argument in site.call.args), spoken, shown)

    def _is_record(self, site: CallSite) -> bool:
        """Whether a call writes a record: what a service says on its console, and what else goes there with a label."""
        call = site.call
        if not is_log(self._context, call):
            return False
        if not is_spoken(self._context, call):
            return True
        labelled = any(isinstance(a.value, (ir.Template, ir.Literal)) for a in call.args)
        return (labelled or self._serves(site.scope)) and not self._consoles.is_watched(site)

    def _lifted(self, put: Put, left: int) -> Iterator[Put]:
        """A record where the project decides what it says: the calls of its own function that only writes it down."""
        function = put.scope
        if not left or not isinstance(function, ir.Function) or not self._wraps(function) or _is_labelled(put):
            yield put
            return
        handed = self._params(function, put.texts)
        if not handed:
            yield put
        for site in self._context.program.callers(function) if handed else ():
            texts = tuple(text for param in handed for text in _given(site, function, param))
            if not (put.spoken and self._consoles.is_watched(site)):
                shown = put.spoken and not self._serves(site.scope) and self._consoles.is_script(site)
                yield from self._lifted(Put(site.call, site.scope, texts, put.spoken, shown), left - 1)

    def _wraps(self, function: ir.Function) -> bool:
        """Whether a function may be one that only writes down what it is given. What a model or a library runs, or what
        answers with a record of its own, does more, whatever it is called: `log_work`.
        """
        if id(function) in self._tools or not (WRAPPER.match(function.name) or _is_all(function)):
            return False
        if self._listeners.listens(function):
            return False
        return not any(isinstance(text, ir.Map) for text in self._context.program.structure(function).returns)

    def _params(self, function: ir.Function, texts: tuple[ir.Expr, ...]) -> tuple[ir.Parameter, ...]:
        """The parameters that a record says something of."""
        wanted = frozenset[str]().union(*map(names_in, texts))
        nodes = self._context.program.structure(function).nodes
        for node in sorted((n for n in nodes if isinstance(n, ir.Assign)), key=lambda n: n.span, reverse=True):
            if node.value is not None and names_in(node.target) & wanted:
                wanted |= names_in(node.value)
        return tuple(param for param in function.params if param.name in wanted and param.name not in {"self", "cls"})

    def _is_judged(self, call: ir.Call) -> bool:
        file = self._context.program.table.file(call.span.path)
        return file is not None and file.role in JUDGED


def _given(site: CallSite, function: ir.Function, param: ir.Parameter) -> tuple[ir.Expr, ...]:
    """What a call gives to a parameter; to one that takes the rest, all of the rest."""
    if not param.kind:
        given = passed_argument(site, function, param)
        return () if given is None or isinstance(given, Unknown) else (given,)
    named = {other.name for other in function.params if not other.kind}
    arguments = arguments_at(site, function) or ()
    if param.kind == "**":
        return tuple(a.value for a in arguments if a.keyword is not None and a.keyword not in named)
    return tuple(a.value for a in arguments if a.keyword is None)[len(named - {"self", "cls"}) :]


def _is_all(function: ir.Function) -> bool:
    """Whether a method of a class does one thing: then it may be a way to write, whatever it is called."""
    done = [node for node in function.body if not isinstance(node, ir.Literal)]
    return len(done) == 1 and isinstance(function.outer, ir.Class)


def _is_labelled(put: Put) -> bool:
    """Whether a record says by itself what it is about (`"Task data: %s"`, `f"Task data: {data}"`, `{ data }, "Task
    data"`), and so is more than a way to write. Who speaks, `[desk]`, is no such word.
    """
    if len(put.texts) == 1 and not isinstance(put.texts[0], ir.Template):
        return False
    return any(map(_has_words, put.texts))


def _has_words(text: ir.Expr) -> bool:
    parts = text.parts if isinstance(text, ir.Template) else (text,)
    said = "{}".join(str(part.value) for part in parts if isinstance(part, ir.Literal) and isinstance(part.value, str))
    plain = SPEAKER.sub("", said)
    return re.search(r"[^\W\d_]{3}", plain) is not None and LEVEL.match(plain) is None
