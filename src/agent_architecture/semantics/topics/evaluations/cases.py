"""Tests that a runner collects: the functions of pytest and unittest, the callbacks of JavaScript's runners.

Knows the conventions of test runners; must not know agents or evaluation libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import ancestors, join, parent
from agent_architecture.names.values import Const, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

PYTHON_FILE: Final = regex(r"(?:test_.*|.*_test|tests?)\.py$")
"""What pytest, unittest and Django collect by default."""
SCRIPT_FILE: Final = regex(r".*[._-](?:test|spec)\.[cm]?[jt]sx?$|.*/__tests__/.*\.[cm]?[jt]sx?$")
"""What Jest and Vitest collect by default."""
CASE: Final = regex(r"^(?:it|test|ls\.(?:it|test))(?:\.(?:only|concurrent|sequential|serial|each|for))*$")
TABLE: Final = frozenset({"each", "for"})
REPEATS: Final = frozenset({"pytest.mark.repeat", "pytest.mark.flaky_repeat"})


class Case(NamedTuple):
    """One test. `table`: it runs for several inputs. `repeats`: how often each, where that is written.

    `fixtures` are the functions that pytest runs for it; `marks` the names of its pytest marks.
    """

    function: ir.Function
    span: Span
    symbol: str
    table: bool
    repeats: tuple[int, Span] | None = None
    fixtures: tuple[ir.Function, ...] = ()
    marks: frozenset[str] = frozenset()


def is_collected(path: str) -> bool:
    """Whether a test runner collects the file by its name."""
    return bool(PYTHON_FILE.match(path.rpartition("/")[2]) or SCRIPT_FILE.match(path))


def cases(program: Program, module: ir.Module) -> Iterator[Case]:
    """The tests of a test module, in source order."""
    if module.language is Language.PYTHON:
        fixtures = fixtures_of(program, module.path)
        for function in module.index.functions:
            if is_test_function(function) and "skip" not in (case := python_case(program, function, fixtures)).marks:
                yield case
    elif module.language is not Language.NOTEBOOK:
        for scope in module.code:
            yield from _script_cases(program, scope)


def is_test_function(function: ir.Function) -> bool:
    """Whether pytest or unittest runs a function."""
    outer = function.outer
    return function.name.startswith("test") and not isinstance(outer, ir.Function)


def python_case(program: Program, function: ir.Function, fixtures: dict[str, ir.Function]) -> Case:
    """The case of a test function; `fixtures` are those that its file sees, by name."""
    marks = frozenset(name for name in _mark_names(function))
    used = _used(fixtures, (p.name for p in function.params))
    return Case(
        function,
        function.name_span,
        function.name,
        has_table(program, function),
        _repeats(program, function),
        used,
        marks,
    )


def has_table(program: Program, function: ir.Function) -> bool:
    """Whether a function is parametrised with more than one row."""
    return any(_rows(program, call) != 1 for call in _parametrised(function))


def _parametrised(function: ir.Function) -> Iterator[ir.Call]:
    outer = function.outer.decorators if isinstance(function.outer, ir.Class) else ()
    for decorator in (*function.decorators, *outer):
        if isinstance(decorator, ir.Call) and dotted(decorator.callee).endswith(
            ("parametrize", "parameterized.expand")
        ):
            yield decorator


def _rows(program: Program, call: ir.Call) -> int | None:
    """How many rows a parametrisation has; None when that cannot be read."""
    keyword = [a.value for a in call.args if a.keyword == "argvalues"]
    plain = [a.value for a in call.args if a.keyword is None]
    rows = keyword or plain[-1:]
    for value in program.value_of(rows[0]) if rows else ():
        # A list that is filled elsewhere (`rows.append(…)` in a loop) has more than is written.
        if isinstance(value, Items) and isinstance(value.node, ir.List) and value.items == value.node.items:
            return len(value.items)
    return None


def _mark_names(function: ir.Function) -> Iterator[str]:
    for decorator in function.decorators:
        name = dotted(decorator.callee if isinstance(decorator, ir.Call) else decorator)
        if name.startswith("pytest.mark."):
            yield name.removeprefix("pytest.mark.")


def _repeats(program: Program, function: ir.Function) -> tuple[int, Span] | None:
    for decorator in function.decorators:
        if not isinstance(decorator, ir.Call):
            continue
        if dotted(decorator.callee) in REPEATS and decorator.args:
            found = next((v.value for v in program.value_of(decorator.args[0].value) if isinstance(v, Const)), None)
            if isinstance(found, int):
                return found, decorator.span
        if decorator in tuple(_parametrised(function)) and (times := _range(program, decorator.args[-1].value)):
            return times, decorator.span
    return None


def repeated(program: Program, node: ir.Node) -> tuple[int, Span] | None:
    """How often loops over a plain range repeat a node, and where the widest stands."""
    found: tuple[int, Span] | None = None
    for loop in program.structure(program.scope_of(node)).enclosing(node, ir.Loop):
        times = _range(program, loop.source) if loop.source is not None else _counted(program, loop)
        if times and (found is None or times > found[0]):
            found = (times, loop.header)
    return found


def _range(program: Program, source: ir.Expr) -> int | None:
    if isinstance(source, ir.Call) and dotted(source.callee) == "range" and source.args:
        values = program.value_of(source.args[1 if len(source.args) > 1 else 0].value)
        numbers = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, int)]
        return max(numbers, default=None)
    return None


def _counted(program: Program, loop: ir.Loop) -> int | None:
    """The limit of `for (let i = 0; i < LIMIT; i++)`."""
    test = loop.test
    if loop.kind != "for" or not isinstance(test, ir.Operator) or test.op not in {ir.Op.LT, ir.Op.LE}:
        return None
    values = program.value_of(test.operands[1])
    numbers = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, int)]
    return max(numbers, default=None)


# ------------------------------------------------------------------------------------------------------------ fixtures
def fixtures_of(program: Program, path: str) -> dict[str, ir.Function]:
    """The pytest fixtures that a test file sees, by name: its own, then those of the nearest `conftest.py`."""
    found: dict[str, ir.Function] = {}
    loaded = {module.path: module for module in program.modules}
    for place in (path, *(join(folder, "conftest.py") for folder in ancestors(parent(path)))):
        module = loaded.get(place)
        for function in module.index.functions if module is not None else ():
            if _is_fixture(function):
                found.setdefault(function.name, function)
    return found


def _is_fixture(function: ir.Function) -> bool:
    names = (dotted(d.callee if isinstance(d, ir.Call) else d) for d in function.decorators)
    return any(name.endswith("fixture") for name in names)


def _used(fixtures: dict[str, ir.Function], names: Iterable[str]) -> tuple[ir.Function, ...]:
    """The fixtures of these names, those that they use, and those that every test uses."""
    found: dict[int, ir.Function] = {}
    queue = [*names, *(name for name, function in fixtures.items() if _is_automatic(function))]
    while queue:
        function = fixtures.get(queue.pop(0))
        if function is not None and id(function) not in found:
            found[id(function)] = function
            queue.extend(p.name for p in function.params)
    return tuple(found.values())


def _is_automatic(function: ir.Function) -> bool:
    calls = (d for d in function.decorators if isinstance(d, ir.Call))
    return any(
        a.keyword == "autouse" and isinstance(a.value, ir.Literal) and a.value.value is True
        for c in calls
        for a in c.args
    )


# ---------------------------------------------------------------------------------------------------------- JavaScript
def _script_cases(program: Program, scope: ir.Scope) -> Iterator[Case]:
    for name, calls in program.calls_in(scope).items():
        for call in calls:
            callee = call.callee.callee if isinstance(call.callee, ir.Call) else call.callee
            spelled = dotted(callee)
            function = next((a.value for a in call.args if isinstance(a.value, ir.Function)), None)
            if function is None or not CASE.match(spelled) or name not in {"", *spelled.split(".")}:
                continue
            table = spelled.rpartition(".")[2] in TABLE or _in_loop(program, scope, call)
            title = next((a.value.value for a in call.args if isinstance(a.value, ir.Literal)), "")
            yield Case(function, call.span, str(title) or spelled, table)


def _in_loop(program: Program, scope: ir.Scope, call: ir.Call) -> bool:
    """Whether a test is defined in a loop over cases: a `for`, or a callback of `forEach` or `map`."""
    if any(True for _ in program.structure(scope).enclosing(call, ir.Loop)):
        return True
    if not isinstance(scope, ir.Function):
        return False
    around = program.callers(scope)
    return any(site.escapes and dotted(site.call.callee).endswith((".forEach", ".map")) for site in around)
