"""What a container hands out: what it was given under the same token.

`provide(TYPES.desk, () => new Desk())` and `inject(TYPES.desk)`; `container.bind(TOKEN).to(Desk)` and
`container.get(TOKEN)`; `container.register(Desk, Other)` and `container.resolve(Desk)`;
`new Registry().register("desk", desk)`
and `registry.get("desk")`; `user_session.set("desk", desk)` and `user_session.get("desk")` of a store that a
library has for all. A token is told by its words: a name, a member (`TYPES.desk`) or a constant text. Of a class that
nobody provides, a container makes an object.

Knows no library: whose calls these are does not matter, but a function of the project that is called so and whose
results can be read is followed instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.outside_writes import put_under
from agent_architecture.names.program import callee_name
from agent_architecture.names.session_state import put
from agent_architecture.names.values import Api, ClassValue, Func, Instance, Items, Unknown, Value, Values
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

GIVING: Final = ("provide", "register", "registerSingleton", "registerInstance", "registerType", "registerFactory")
GIVING_PYTHON: Final = ("register_singleton", "register_instance", "register_factory", "add_singleton", "add_instance")
"""Calls that put something under a token: the token first, then a class, a factory, an object, or a record of one."""
BINDING: Final = ("to", "toConstantValue", "toDynamicValue", "toSelf", "to_class", "to_instance")
"""Calls that say what a token is bound to: `bind(TOKEN).to(Desk)`."""
TAKING: Final = frozenset({"inject", "resolve", "get", "make", "getService", "get_service", "useService"})
"""Calls that hand out what is under a token."""
RECORDS: Final = frozenset({"useClass", "useFactory", "useValue", "to", "factory", "instance"})
"""Keys and keywords under which a record, or a call, says what a token stands for."""
DEPENDING: Final = ("Depends", "Security")
"""Calls that stand for what the function returns which they are handed, or for an object of the class."""
VARIABLES: Final = {
    "py:contextvars.ContextVar().get": ("py:contextvars.ContextVar().set", "set"),
    "npm:async_hooks:AsyncLocalStorage().getStore": ("npm:async_hooks:AsyncLocalStorage().run", "run"),
}
"""What reads the variable of a context, and what sets it, with its name."""
CHAIN: Final = 40
"""Calls of one chain (`registry.register(…).register(…)`) that are looked through."""


def provided(program: Program, call: ir.Call, callees: Values) -> Values:
    """What a call hands out of a container; empty where it is no such call, or nothing is known of the token."""
    name = callee_name(call.callee)
    if held := tuple(_in_variable(program, callees)):
        return held
    first = call.args[0] if call.args else None
    if first is None or first.spread or first.keyword not in {None, "dependency"}:
        return ()
    if name in DEPENDING:
        return tuple(one for value in program.value_of(first.value) for one in _made(program, value))
    if name not in TAKING or any(isinstance(callee, ClassValue) for callee in callees):
        return ()
    token = _token(first.value)
    if not token:
        return ()
    given = [expr for callee in callees if isinstance(callee, Api) for expr in _in_chain(callee, token)]
    if not given and not isinstance(first.value, ir.Literal):
        found = program.once(_given).get(token, ())
        given = [expr for expr in found if is_python(expr.span.path) == is_python(call.span.path)]
    if given:
        return tuple(one for expr in given for value in program.value_of(expr) for one in _made(program, value))
    stores = [callee.path for callee in callees if isinstance(callee, Api) and "(" not in callee.path]
    if name == "get" and stores:
        by_call = (expr for path in stores for expr in program.once(_put_by).get((path.removesuffix(name), token), ()))
        by_key = (
            value for callee in callees if isinstance(callee, Api) for value in _put_by_key(program, callee, call)
        )
        values = (*(value for expr in by_call for value in program.value_of(expr)), *by_key)
        return tuple(v for v in values if isinstance(v, Instance) or (isinstance(v, Api) and v.receiver is not None))
    if name == "get" and isinstance(first.value, ir.Literal) and all(isinstance(each, Unknown) for each in callees):
        return tuple(put_under(program, call, str(first.value.value)))
    if isinstance(first.value, ir.Name) and not any(isinstance(callee, Func) for callee in callees):
        classes = (value for value in program.value_of(first.value) if isinstance(value, ClassValue))
        return tuple(Instance(value.cls) for value in classes)
    return ()


def _token(expr: ir.Expr) -> str:
    """The words of a token; "" for what is none."""
    match expr:
        case ir.Literal(value=str() as text):
            return repr(text)
        case ir.Name():
            return expr.id if expr.id[:1].isupper() else ""
        case ir.Member():
            owner = _token(expr.target)
            return f"{owner}.{expr.name}" if owner else ""
        case _:
            return ""


def _in_chain(callee: Api, token: str) -> Iterator[ir.Expr]:
    """What the chain of calls that made a receiver put under a token: `new Registry().register("desk", desk)`."""
    made = callee.receiver
    for _ in range(CHAIN):
        if made is None:
            return
        call = made.node
        if isinstance(call, ir.Call) and callee_name(call.callee) in GIVING and call.args:
            yield from _under(call) if _token(call.args[0].value) == token else ()
        made = made.receiver


def _given(program: Program) -> Mapping[str, tuple[ir.Expr, ...]]:
    """What all containers of a program are given, by token."""
    found: dict[str, list[ir.Expr]] = {}
    for name in (*GIVING, *GIVING_PYTHON):
        for site in program.calls(name):
            if site.call.args and (token := _token(site.call.args[0].value)):
                found.setdefault(token, []).extend(_under(site.call))
    for name in ("bind", *BINDING):
        for site in program.calls(name):
            binding = site.call if name == "bind" else _bound(site.call)
            if binding is not None and binding.args and (token := _token(binding.args[0].value)):
                own = binding.args[0].value
                found.setdefault(token, []).extend(
                    [own] if name == "toSelf" else _under(site.call, after=name == "bind")
                )
    return {token: tuple(exprs) for token, exprs in found.items() if exprs}


def _put_by(program: Program) -> Mapping[tuple[str, str], tuple[ir.Expr, ...]]:
    """What is put into a store that a library has for all of a session (`user_session.set("desk", desk)`), by the path
    of the store and the token.
    """
    found: dict[tuple[str, str], list[ir.Expr]] = {}
    for site in program.calls("set"):
        args = [argument.value for argument in site.call.args if argument.keyword is None and not argument.spread]
        token = _token(args[0]) if len(args) > 1 else ""
        for value in program.value_of(site.call.callee) if token else ():
            if isinstance(value, Api) and "(" not in value.path:
                found.setdefault((value.path.removesuffix("set"), token), []).append(args[1])
    return {key: tuple(exprs) for key, exprs in found.items()}


def _put_by_key(program: Program, callee: Api, call: ir.Call) -> Iterator[Value]:
    """What the module of a call puts into such a store by its key (`session_state["desk"] = desk`)."""
    key = call.args[0].value
    if callee.receiver is not None and isinstance(call.callee, ir.Member) and isinstance(key, ir.Literal):
        yield from put(program, callee.receiver, str(key.value), ir.Index(call.span, call.callee.target, key))


def _in_variable(program: Program, callees: Values) -> Iterator[Value]:
    """What a context variable is set to anywhere (`current.set(desk)`, `storage.run(desk, …)`), or is by default."""
    for callee in callees:
        if isinstance(callee, Api) and callee.path in VARIABLES and callee.receiver is not None:
            made = callee.receiver.node
            default = (a.value for a in made.args if a.keyword == "default") if isinstance(made, ir.Call) else ()
            given = program.once(_set_in, *VARIABLES[callee.path]).get(made.span, ())
            yield from (value for expr in (*given, *default) for value in program.value_of(expr))


def _set_in(program: Program, path: str, name: str) -> Mapping[Span, tuple[ir.Expr, ...]]:
    """What context variables are set to, by where they are made."""
    found: dict[Span, list[ir.Expr]] = {}
    for site in program.calls(name):
        for value in program.value_of(site.call.callee) if site.call.args else ():
            if isinstance(value, Api) and value.path == path and value.receiver is not None:
                found.setdefault(value.receiver.node.span, []).append(site.call.args[0].value)
    return {key: tuple(exprs) for key, exprs in found.items()}


def _bound(call: ir.Call) -> ir.Call | None:
    """The `bind(TOKEN)` in front of `.to(Desk)`."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    return target if isinstance(target, ir.Call) and callee_name(target.callee) == "bind" else None


def _under(call: ir.Call, *, after: bool = True) -> list[ir.Expr]:
    """What a call says that a token stands for: behind the token, or first where the token stands elsewhere."""
    named = [argument.value for argument in call.args if argument.keyword in RECORDS]
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    given = named or plain[1 if after else 0 :][:1]
    return [one for expr in given for one in _recorded(expr)]


def _recorded(expr: ir.Expr) -> Iterator[ir.Expr]:
    if not isinstance(expr, ir.Map):
        yield expr
        return
    for entry in expr.entries:
        if isinstance(entry.key, ir.Literal) and entry.key.value in RECORDS:
            yield entry.value


def _yielded(program: Program, generator: Items) -> Iterator[Value]:
    yield from (value for item in generator.items for value in program.value_of(item))


def _made(program: Program, value: Value) -> Iterator[Value]:
    """What comes out of a container for what was put in: an object of a class, what a factory returns, or yields and
    takes back later (`yield db`), or itself.
    """
    from agent_architecture.names.evaluate import returned

    match value:
        case ClassValue():
            yield Instance(value.cls)
        case Func():
            for given in returned(program, value.function, value.receiver):
                is_entered = isinstance(given, Items) and given.node is value.function and given.items
                yield from _yielded(program, given) if is_entered and isinstance(given, Items) else (given,)
        case Unknown():
            return
        case _:
            yield value
