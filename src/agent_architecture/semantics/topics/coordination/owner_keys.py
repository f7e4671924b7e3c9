"""Whose word a key is that keeps owners apart: of a client who sends it, of a model that gives it to a tool, or of the
project itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import some_raise
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.session_state import part_of
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Entries, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.owner_tests import EQUAL, OWNING, asks_whose
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.external_parameters import SERVED
from agent_architecture.semantics.topics.coordination.platform_senders import is_sender
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match

OWNER: Final = regex(
    r"(?:^|_)(?:session|user|thread|conversation|conv|chat|tenant|customer|account|client|request|run|job|channel|room"
    r"|guild|phone|sender|org|organization|organisation|workspace|team|sid|uid|ws|websocket|connection|member|owner"
    r"|vendor|namespace|chat_id|peer|from)(?:$|_)"
)
"""Words for whose something is."""
AUTH: Final = regex(
    r"auth|token|principal|claims|current_?user|session_context|identity|jwt|require|verified|get_current",
    re.IGNORECASE,
)
"""What a server knows of who asks, by itself."""
KNOWN: Final = frozenset(
    f"{holder}.{name}"
    for holder in ("req", "request", "res", "response", "ctx", "context")
    for name in ("locals", "user", "auth", "session", "state")
) | frozenset(f"{holder}.id" for holder in ("socket", "ws", "websocket", "connection", "conn"))
"""What the server itself puts on a request, its answer or a connection, not its sender: `res.locals`, `req.user`."""
ADDRESS: Final = regex(
    r"(?:.*\.)?(?:client\.(?:host|port)|remote_addr|(?:socket|connection)\.(?:remoteAddress|remotePort)"
    r"|(?:req|request|ctx|context)\.(?:ip|remote))"
)
"""Whom a connection comes from, as the server itself sees it: `request.client.host`, `req.ip`; no header says it."""
CHECKS: Final = regex(
    r"verif|authori[sz]|permission|owner|owns|belongs|can_access|ensure(?!_future)|validate|is_allowed|forbid"
    r"|(?:check|assert|require|has|may|deny|guard)_?\w*_?access",
    re.IGNORECASE,
)


PLAIN: Final = frozenset(
    {"str", "String", "int", "get", "strip", "trim", "lower", "toString", "toLowerCase", "format", "dict"}
    | {"safeParse", "parseAsync", "safeParseAsync", "validateSync", "model_validate", "model_validate_json"}
    | {"parse", "loads", "decode", "json", "get_json", "formData", "text"}
    | {"receive_json", "receive_text", "receive_bytes", "receive", "recv", "iter_json", "iter_text"}
    | {"query", "param", "header", "URL", "URLSearchParams"}
    | {
        "readBody",
        "readValidatedBody",
        "readFormData",
        "getQuery",
        "getValidatedQuery",
        "getRouterParam",
        "getRouterParams",
    }
)
"""Calls whose result names the same owner: a text's form is changed, or it is read."""
MADE_UP: Final = regex(r"uuid\d*|random\w*|nanoid|ulid|token_(?:hex|urlsafe|bytes)|secrets?|v[147]", re.IGNORECASE)
"""Calls that make a text which nobody can name beforehand."""
WAYS: Final = 60
"""Expressions that are followed back from a key."""


def is_owner(key: ir.Expr) -> bool:
    """Whether an expression is called as owners are: `session_id`, `message.chat.id`, `f"{user}:{thread}"`."""
    for node in ir.walk(key):
        named = node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Member) else ""
        named = str(node.key.value) if isinstance(node, ir.Index) and isinstance(node.key, ir.Literal) else named
        if named and OWNER.search(words_of(named)):
            return True
    return False


class Keys:
    """Answers for keys."""

    def __init__(self, work: Work, served: Served) -> None:
        self._context = work.context
        self._program = work.context.program
        self._effects = work.effects
        self._served = served
        self._states = work.context.once(States)
        self._tools = work.agents.running()
        self._joined: dict[int, tuple[ir.Expr, ...]] = {}
        """The parts of texts that are put together, by the id of the text."""

    def of_thread(self, match: Match) -> Iterator[tuple[ir.Expr, str]]:
        """The expressions that name the thread of a run, with whose word each is."""
        address = match.row.properties.get("thread_id")
        given = match.arguments if address is not None else None
        for expr in expressions(self._program, given, address) if address is not None and given is not None else ():
            yield expr, self.chosen_by(expr)

    def chosen_by(self, key: ir.Expr) -> str:
        """`client` or `model` where one of them may name any key and nothing asks whether it is theirs; else ""."""
        found = ""
        for function, param, whole in self._given(key):
            if param is not None and AUTH.search(param.name):
                continue
            if id(function) in self._tools and param is not None:
                found = "model"
            elif self._is_sent(function, param) and not self._checks(function, key, whole):
                return "client"
        return found

    def taken_from_client(self, key: ir.Expr) -> Iterator[tuple[ir.Function, ir.Expr]]:
        """The functions that answer a client, and where each takes a key from what was sent; without those that ask
        whether it is theirs.
        """
        for function, param, whole in self._given(key):
            is_checked = param is not None and AUTH.search(param.name) is not None
            is_checked = is_checked or self._checks(function, key) or self._checks(function, whole)
            if not is_checked and self._is_sent(function, param):
                yield function, whole

    def is_known(self, key: ir.Expr) -> bool:
        """Whether a key is who asks, as the server knows it by itself: `req.session.userId`, through assignments and
        callers.
        """
        return any(map(_is_servers, reached((key,), self._before, WAYS))) and not any(self.taken_from_client(key))

    def _before(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        """What an expression is taken from, one step back."""
        for binding in visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ():
            function, param = binding.node, binding.extra
            if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
                given = (passed_argument(site, function, param) for site in self._program.callers(function))
                yield from (each for each in given if each is not None and not isinstance(each, Unknown))
            elif binding.value is not None:
                yield binding.value
        yield from self._behind(expr)

    def _given(self, key: ir.Expr) -> Iterator[tuple[ir.Function, ir.Parameter | None, ir.Expr]]:
        """The parameters that a key is taken from as it is, through assignments and callers, each with the expression
        that takes it out: `request.session_id`; None for the request that a library keeps under a name of its own.
        """
        queue: list[ir.Expr] = [key]
        whole = {id(key): key}
        for expr in queue:  # grows
            for binding in visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ():
                function, param = binding.node, binding.extra
                scope = self._program.scope_of(expr)
                if isinstance(scope, ir.Function) and binding.kind == "import" and self._is_request(expr):
                    yield scope, None, whole[id(expr)]
                if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
                    yield function, param, whole[id(expr)]
                    new = list(self._handed(function, param)) if len(queue) < WAYS else []
                else:
                    new = [binding.value] if binding.value is not None else []
                is_part = whole[id(expr)] is not expr
                queue.extend(each for each in new if id(each) not in whole)
                whole |= {id(each): whole[id(expr)] if is_part else each for each in new if id(each) not in whole}
            behind = list(self._behind(expr)) if len(queue) < WAYS else []
            queue.extend(each for each in behind if id(each) not in whole)
            # What comes out of a state, or back out of a function, begins anew where it was put in.
            same = bool(self._in_state(expr)) or (isinstance(expr, ir.Call) and bool(self._program.callees(expr)))
            whole |= {id(each): each if same else whole[id(expr)] for each in behind if id(each) not in whole}

    def _handed(self, function: ir.Function, param: ir.Parameter) -> Iterator[ir.Expr]:
        """What callers give to a parameter; of a call that hands on a whole mapping, that: `tool(**arguments)`."""
        for site in self._program.callers(function):
            given = passed_argument(site, function, param)
            if isinstance(given, Unknown):
                yield from (argument.value for argument in site.call.args if argument.spread == "**")
            elif given is not None:
                yield given

    def _is_request(self, name: ir.Expr) -> bool:
        return any(isinstance(v, Api) and SERVED.match(v.path) is not None for v in self._program.value_of(name))

    def _behind(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """What an expression is taken from, without what functions make anew of it, and what a server put there."""
        match expr:
            case ir.Member(name=name, target=ir.Name(id=holder)) if f"{holder}.{name}" in KNOWN:
                return ()
            case ir.Member() if ADDRESS.fullmatch(dotted(expr)) or is_sender(self._context, expr):
                return ()
            case ir.Member(target=target) | ir.Index(target=target):
                return self._in_state(expr) or self._put_under(expr) or (target,)
            case ir.Await(value=target):
                return (target,)
            case ir.Operator(operands=operands):
                return operands
            case ir.Template(parts=parts):
                return self._parts_of(expr, tuple(part for part in parts if not isinstance(part, ir.Literal)))
            case ir.Conditional(then=then, otherwise=otherwise):
                return (then, otherwise)
            case ir.Call(args=args) if self._looks_at_form(expr):
                return tuple(argument.value for argument in args)
            case ir.Call(callee=callee, args=args) if callee_name(callee) in PLAIN:
                receiver = (callee.target,) if isinstance(callee, ir.Member) else ()
                found = self._in_state(expr) or self._put_under(expr) or receiver
                return (*(argument.value for argument in args), *found)
            case ir.Call():
                return self._given_back(expr)
            case _:
                return ()

    def _in_state(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """What starts a graph, or its steps, put under the key of its state that an expression reads."""
        read = self._states.read(expr)
        return () if read is None else read.values

    def _parts_of(self, text: ir.Expr, filled: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        """What is put into a text that is a key: nothing where one part tells who is signed in, or is made up anew."""
        if len(filled) < 2:  # noqa: PLR2004 - one part is the key
            return filled
        if id(text) not in self._joined:
            self._joined[id(text)] = ()
            self._joined[id(text)] = () if any(map(self._is_own, filled)) else filled
        return self._joined[id(text)]

    def _is_own(self, part: ir.Expr) -> bool:
        """Whether a part of a key may be the server's own word: who is signed in, or what nobody knows beforehand."""
        bound = visible_bindings(self._program, part) if isinstance(part, ir.Name) else ()
        here = ir.walk(part, *(b.value for b in bound if b.kind == "assign" and b.value is not None))
        if any(isinstance(each, ir.Call) and MADE_UP.fullmatch(callee_name(each.callee)) is not None for each in here):
            return True
        return any(
            _is_servers(each)
            or (isinstance(each, (ir.Name, ir.Member)) and AUTH.search(_last(each)) is not None)
            or (isinstance(each, ir.Member) and (ADDRESS.fullmatch(dotted(each)) or is_sender(self._context, each)))
            for each in reached((part,), self._before, WAYS)
        ) or any(self._is_injected(param) for _, param, _ in self._given(part) if param is not None)

    def _given_back(self, call: ir.Call) -> tuple[ir.Expr, ...]:
        """What functions of the project give back as they were given it, or put into a text: not what they look up."""
        given = (text for function in self._program.callees(call) for text in self._program.structure(function).returns)
        return tuple(text for text in given if isinstance(text, (ir.Name, ir.Template)) or self._in_state(text))

    def _put_under(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """What the project itself put into a record under the name that is asked for: `state_of(request)["thread"]`."""
        part = part_of(expr)
        made = self._program.value_of(part[0]) if part is not None else ()
        records = (dict(value.entries) for value in made if isinstance(value, Entries))
        return tuple(record[part[1]] for record in records if part is not None and part[1] in record)

    def _looks_at_form(self, call: ir.Call) -> bool:
        """Whether a function of the project is given one text, and gives it back when its letters are fine: whose it
        is cannot be told from these.
        """
        callees = self._program.callees(call) if len(call.args) == 1 else ()
        return bool(callees) and all(map(self._gives_back, callees))

    def _only_takes(self, call: ir.Call) -> bool:
        """Whether a check is called so, and refuses nothing: it looks at letters alone, or is a function of the project
        that raises nowhere and always gives back what it was given.
        """
        callees = self._program.callees(call)
        return self._looks_at_form(call) or (bool(callees) and all(map(self._takes_all, callees)))

    def _takes_all(self, function: ir.Function) -> bool:
        structure = self._program.structure(function)
        own = {param.name for param in function.params}
        same = all(isinstance(given, ir.Name) and given.id in own for given in structure.returns)
        asks = any(CHECKS.search(callee_name(call.callee)) for call in structure.calls)
        return bool(structure.returns) and same and not asks and not some_raise(structure.nodes)

    def _gives_back(self, function: ir.Function) -> bool:
        structure = self._program.structure(function)
        own = {param.name for param in function.params if param.name not in {"self", "cls"}}
        if len(own) != 1 or function.is_async or any(map(self._goes_on, structure.calls)):
            return False
        stores = (n for n in structure.nodes if isinstance(n, ir.Assign) and n.value is not None)
        made = {s.target.id: s.value for s in stores if isinstance(s.target, ir.Name) and s.value is not None}
        texts = tuple(made.get(text.id, text) if isinstance(text, ir.Name) else text for text in structure.returns)
        members = (node for text in texts for node in ir.walk(text) if isinstance(node, ir.Member))
        if any(ADDRESS.fullmatch(dotted(node)) for node in members):
            return False  # what the server itself sees of who asks
        return any(isinstance(node, ir.Name) and node.id in own for text in texts for node in ir.walk(text))

    def _goes_on(self, call: ir.Call) -> bool:
        return bool(self._program.callees(call) or self._effects.rows(call))

    def names_owner(self, function: ir.Function, param: ir.Parameter) -> bool:
        """Whether a parameter is the id of an owner, and nothing compares it with whom the run is for."""
        if OWNING.fullmatch(words_of(param.name)) is None:
            return False
        for test in tests_asked(self._program, own_nodes(function)):
            for part in (n for n in ir.walk(test) if isinstance(n, ir.Operator) and len(n.operands) > 1):
                sides = [dotted(operand) for operand in part.operands]
                if param.name in sides and any(side and side != param.name for side in sides):
                    return False
        return not self._checks(function, ir.Name(param.span, param.name))

    def _is_sent(self, function: ir.Function, param: ir.Parameter | None) -> bool:
        """Whether a client gives a parameter, or what a function reads of the request that it answers."""
        if param is None:
            return self._served.of(function)
        return not self._is_injected(param) and self._served.is_sent_to(function)

    def _is_injected(self, param: ir.Parameter) -> bool:
        """Whether a server fills a parameter by what it knows: `user: User = Depends(current_user)`."""
        said = [param.default] if param.default is not None else []
        said += [param.annotation] if param.annotation is not None else []
        names = (n.id if isinstance(n, ir.Name) else n.name if isinstance(n, ir.Member) else "" for n in ir.walk(*said))
        return any(AUTH.search(name) for name in names if name)

    def _checks(self, function: ir.Function, key: ir.Expr, taken: ir.Expr | None = None) -> bool:
        """Whether the function asks on the way whether the key is its sender's, also in a function that is written in
        it, which hands the key on where it is `taken`.
        """
        named = _last(key)
        inner = self._program.scope_of(taken) if taken is not None else function
        scopes = _between(inner, function) if isinstance(inner, ir.Function) else (function,)
        calls = [call for scope in scopes for call in self._program.structure(scope).calls]
        checks = (c for c in calls if self._is_check(c, named))
        return any(_last(node) == named for call in checks for a in call.args for node in ir.walk(a.value)) or any(
            self._is_injected(param) and self._is_read(function, param) for param in function.params
        )

    def _is_check(self, call: ir.Call, named: str) -> bool:
        """Whether a call asks whose something is: it says so, or runs code of the project that compares what it gets
        with who is signed in.
        """
        if CHECKS.search(callee_name(call.callee)):
            return not self._only_takes(call)
        given = any(_last(node) == named for a in call.args for node in ir.walk(a.value)) if named else False
        return given and any(map(self._compares, self._program.callees(call)))

    def _compares(self, function: ir.Function) -> bool:
        """Whether a function compares a parameter of its own with who is signed in (`auth["user_id"] != user_id`), or
        has something do that says so: `owns(found, user_id)`.
        """
        own = {param.name for param in function.params}
        for call in self._program.structure(function).calls:
            if CHECKS.search(callee_name(call.callee)) and any(_last(a.value) in own for a in call.args[1:]):
                return True
        said = self._program.structure(function).returns
        for test in (*tests_asked(self._program, own_nodes(function)), *said):
            for part in ir.walk(test):
                if not isinstance(part, ir.Operator) or part.op not in EQUAL:
                    continue
                sides = [[_last(n) for n in ir.walk(side) if isinstance(n, (ir.Name, ir.Member))]
                         for side in part.operands]  # fmt: skip
                of_own = [any(name in own for name in side) for side in sides]
                of_auth = [any(AUTH.search(name) for name in side if name not in own) for side in sides]
                if (of_own[0] and of_auth[-1]) or (of_own[-1] and of_auth[0]):
                    return True
                if asks_whose(part) and any(_is_part_of(side, own) for side in part.operands):
                    return True  # `found.userId === user.id`
        return False

    def _is_read(self, function: ir.Function, param: ir.Parameter) -> bool:
        """Whether a function uses a parameter: who only is let in is not known by that."""
        return any(
            isinstance(node, ir.Name) and node.id == param.name for node in self._program.structure(function).nodes
        )


def _is_servers(expr: ir.Expr) -> bool:
    """Whether an expression is what the server itself puts on a request."""
    return isinstance(expr, ir.Member) and isinstance(expr.target, ir.Name) and f"{expr.target.id}.{expr.name}" in KNOWN


def _last(node: ir.Node) -> str:
    return node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Member) else ""


def _between(inner: ir.Function, outer: ir.Function) -> tuple[ir.Function, ...]:
    """A function and those around it up to another one; that alone, where it is not around it."""
    found = [inner]
    while found[-1] is not outer:
        around = found[-1].outer
        if not isinstance(around, ir.Function):
            return (outer,)
        found.append(around)
    return tuple(found)


def _is_part_of(side: ir.Expr, own: set[str]) -> bool:
    """Whether a side of a comparison is a field of something that the function is handed: `user.id`."""
    return isinstance(side, ir.Member) and isinstance(side.target, ir.Name) and side.target.id in own - {"self", "this"}
