"""Each fact has one home: no other room compares with its words.

A fact of code (this block leaves, this test is the opposite of that, who calls this, what this call does) that two
places read for themselves is soon two facts. The table says where each is read; this reads our own code, function by
function, and lists whoever else does. What is listed moves into the home, or asks it.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGE: Final = Path(__file__).resolve().parent.parent / "src" / "agent_architecture"
ASKING: Final = ("semantics", "detectors")
LEAVING: Final = frozenset({"Return", "Raise", "Break", "Continue"})
ENDING: Final = frozenset({"sys.exit", "os._exit", "process.exit", "process.abort", "Deno.exit"})
NEGATING: Final = frozenset({"not"})
JOINING: Final = frozenset({"and", "or"})
CHOOSING: Final = frozenset({"??", "+", "/"})
"""Beside one of these, `or` gives a value that somebody else left out: it joins no conditions."""

NEVER: Final = frozenset({"!", "&&", "||", "===", "!==", "is not", "not in"})


LOG_WORDS: Final = frozenset({"print", "log", "debug", "info", "warn", "warning", "error", "exception", "console"})
GOING: Final = frozenset({
    "leaves", "leaves_function", "some_leave", "some_raise", "is_raised", "ends_program", "always", "turns_away",
    "goes_on", "goes_no_further",
})  # fmt: skip
"""Our own questions whether code is left."""
SIZES: Final = frozenset({"<", "<=", ">", ">="})
PAUSE_WORDS: Final = frozenset({"sleep", "delay", "setTimeout", "pause", "backoff", "set_timeout"})
SEVERAL: Final = 3
"""Words of a vocabulary that stand together: one of them alone says little."""


class Fact(NamedTuple):
    """One fact: where it is read, why there, which words of our code read it, and who else may, each with a reason."""

    homes: tuple[str, ...]
    why: str
    reads: Callable[[ast.AST], bool]
    own: dict[str, str]


def _exits(node: ast.AST) -> bool:
    """`ir.Return` and its like, wherever they are compared with, and the names of calls that end a program."""
    match node:
        case ast.Attribute(value=ast.Name(id="ir"), attr=attr):
            return attr in LEAVING
        case ast.Constant(value=str() as text):
            return text in ENDING
        case _:
            return False


def _negation(node: ast.AST) -> bool:
    """`op="not"` in a pattern, `.op == "not"`, and the same with what joins conditions."""
    words = set(_operators(node))
    return bool(words & NEGATING) or bool(words & JOINING and not words & CHOOSING)


def _operators(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.MatchClass(kwd_attrs=names, kwd_patterns=patterns):
            yield from (word for n, p in zip(names, patterns, strict=True) if n == "op" for word in _texts(p))
        case ast.Compare(left=ast.Attribute(attr="op"), comparators=others):
            yield from (word for other in others for word in _texts(other))
        case _:
            return


def _texts(node: ast.AST) -> Iterator[str]:
    """The words in a node, written out or as members of the IR's enumeration: `"not"`, `ir.Op.NOT`."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
        elif isinstance(each, ast.Attribute) and ast.unparse(each.value) == "ir.Op":
            yield str(ir.Op[each.attr])


def _spelling(node: ast.AST) -> bool:
    """Operators that `syntax` never writes: `===` is `==` there, and `x not in y` is `not` around an `in`."""
    return bool(NEVER.intersection(_operators(node)))


def _callers(node: ast.AST) -> bool:
    """A function that goes from callers to their callers by itself: it calls itself, or fills what it runs over."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    inside = list(ast.walk(node))
    if not any(isinstance(each, ast.Call) and _last(each.func) == "callers" for each in inside):
        return False
    if any(isinstance(each, ast.Name) and each.id == "passed_argument" for each in inside):
        return False  # it follows a value through the calls that hand it on
    again = any(isinstance(each, ast.Call) and ast.unparse(each.func) in _own_names(node) for each in inside)
    loops = [each for each in inside if isinstance(each, (ast.For, ast.While))]
    filled = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    filled |= {_last(c.func.value) for c in inside if isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute)}
    return again or any(_last(_over(loop)) in filled or _last(_over(loop)) == "range" for loop in loops if _asks(loop))


def _own_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    is_method = any(argument.arg == "self" for argument in node.args.args)
    return {f"self.{node.name}" if is_method else node.name}


def _asks(loop: ast.For | ast.While) -> bool:
    return any(
        isinstance(each, ast.Call) and _last(each.func) == "callers" for part in loop.body for each in ast.walk(part)
    )


def _over(loop: ast.For | ast.While) -> ast.expr:
    return loop.iter if isinstance(loop, ast.For) else loop.test


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last(func)
        case _:
            return ""


def _effects(node: ast.AST) -> bool:
    """Rows of effects, as the packs have them."""
    match node:
        case ast.Call(func=ast.Name(id="effect_rows")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="packs"), attr="effects")):
            return True
        case _:
            return False


def _plain(node: ast.AST) -> bool:
    """`name.replace("_", "").lower()`, in either order."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr=inner)), attr=outer)):
            return {inner, outer} == {"replace", "lower"} and _without_underscore(node)
        case _:
            return False


def _without_underscore(node: ast.AST) -> bool:
    replacing = (n for n in ast.walk(node) if isinstance(n, ast.Call) and _last(n.func) == "replace")
    return any([ast.unparse(argument) for argument in call.args] == ["'_'", "''"] for call in replacing)


def _logs(node: ast.AST) -> bool:
    """A list of names of calls that write to a log or a terminal, or a pattern of them."""
    return len(LOG_WORDS & _words(node)) >= SEVERAL


def _pauses(node: ast.AST) -> bool:
    """A word for what waits for a time, held against the name of a call: in a list, a pattern or a comparison."""
    match node:
        case ast.Compare(comparators=[ast.Constant(value=str() as text)]):
            return text in PAUSE_WORDS
        case _:
            return bool({"sleep", "setTimeout"} & _words(node))


def _around(node: ast.AST) -> bool:
    """The tests that a place stands in (`structure.enclosing(node, ir.If)`), or one on every way to it."""
    match node:
        case ast.Call(func=ast.Attribute(attr="enclosing"), args=[_, *kinds]):
            return any(ast.unparse(kind) in {"ir.If", "ir.Conditional"} for kind in kinds)
        case ast.FunctionDef():
            calls = {_last(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
            tests = any(isinstance(each, ast.Attribute) and ast.unparse(each) == "ir.If" for each in ast.walk(node))
            return tests and "dominates" in calls
        case _:
            return False


def _leaving_tests(node: ast.AST) -> bool:
    """A function that reads `ir.If`, and what leaves: it knows a guard in one form."""
    if not isinstance(node, ast.FunctionDef):
        return False
    inside = list(ast.walk(node))
    words = {each.id for each in inside if isinstance(each, ast.Name)}
    words |= {each.attr for each in inside if isinstance(each, ast.Attribute)}
    return bool(words & GOING) and any(isinstance(n, ast.Attribute) and ast.unparse(n) == "ir.If" for n in inside)


def _sought(node: ast.AST) -> bool:
    """Words that are sought before an expression: `any(word in data for word in WORDS) and PATTERN.search(data)`."""
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.And):
        return False
    inside = list(ast.walk(node))
    words = (each for each in inside if isinstance(each, ast.GeneratorExp) and isinstance(each.elt, ast.Compare))
    parts = (each for part in node.values[1:] for each in ast.walk(part))
    searches = any(isinstance(each, ast.Attribute) and each.attr == "search" for each in parts)
    return searches and any(isinstance(op, ast.In) for each in words for op in each.elt.ops)


def _comparisons(node: ast.AST) -> bool:
    """A list of the operators that compare by size."""
    return isinstance(node, (ast.Set, ast.Tuple, ast.List)) and set(_texts(node)) >= SIZES


def _keyed(node: ast.AST) -> bool:
    """A pattern of `row.get("name")`: a call of a member that is called `get`, with the arguments."""
    match node:
        case ast.MatchClass(cls=cls, kwd_attrs=names, kwd_patterns=patterns) if ast.unparse(cls) == "ir.Call":
            parts = dict(zip(names, patterns, strict=True))
            callee = parts.get("callee")
            return "args" in parts and callee is not None and "'get'" in ast.unparse(callee)
        case _:
            return False


def _words(node: ast.AST) -> set[str]:
    """The words in a list that is written out, or in a pattern; prose that says something to a reader is none."""
    match node:
        case ast.Set(elts=items) | ast.List(elts=items) | ast.Tuple(elts=items):
            return {item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)}
        case ast.Constant(value=str() as text) if "|" in text:
            return set(re.findall(r"[A-Za-z]+", text))
        case _:
            return set()


FACTS: Final = {
    "exits": Fact(
        ("control", "callgraph"),
        "what goes on: blocks (`control`), calls and loops (`callgraph`); how it is written stands in `names/exits.py`",
        _exits,
        {
            "semantics/adapters/langgraph_choices.py _statement": "it runs a router with numbers that it has put in",
            "semantics/adapters/langgraph_marks.py _along": "it runs a step with numbers that it has put in",
            "semantics/matching/counted_stops.py _named": "it reads which test names which agent, not what goes on",
        },
    ),
    "negation": Fact(
        ("control",),
        "conditions and their opposites; how a test is parted stands in `names/test_parts.py`",
        _negation,
        {
            "semantics/adapters/langgraph_choices.py truth": "it works out a test with numbers that it has put in",
        },
    ),
    "callers": Fact(
        ("callgraph",),
        "who runs a function, how far up",
        _callers,
        {
            "semantics/adapters/agent_programs.py _starts": "it follows the name of a program that is handed on",
            "semantics/control/default_off.py off_by_default": "each caller has to be asked for its own conditions",
            "semantics/topics/tracing/switches.py _on_each_way": "each caller has to be asked for its own conditions",
            "semantics/topics/tracing/switches.py _uncalled": "it asks of each caller whether nothing calls it",
            "semantics/conversations/requests.py _for": "it follows a list that a function returns",
            "semantics/conversations/run_state.py _is_handed": "it follows a value to the parameter that it is",
            "semantics/loops/clients.py _ways": "it follows what is handed on to a client, call by call",
            "semantics/protocols/published_by_hand.py _said_by": "it follows what is sent to who says it, call by call",
            "semantics/topics/disclosure/records.py _lifted": "it follows the text of a record to who wrote it",
            "semantics/loops/answer_sinks/executed_answers.py _place": "it goes along the one way of an answer",
            "semantics/matching/tool_factories.py _handed_out": "it follows a function that another one makes",
            "semantics/matching/tool_factories.py _put_to_use": "it follows a decorator that a function returns",
            "semantics/topics/memories/transcripts.py _over": "it follows the messages that a generator hands on",
            "semantics/topics/memories/vetting.py at": "it follows a text, whose name is another one at each call",
            "semantics/topics/premises/started_agents.py _starts": "it follows a parameter that is handed on",
            "semantics/topics/waits/before_serving.py is_before_serving": "all ways have to begin at a start",
            "semantics/topics/waits/blocking.py _through": "what blocks is known of a caller by all that it runs",
            "semantics/topics/written_agents/asking.py asking": "it counts the classes on the way, not the calls",
            "semantics/topics/written_agents/asking.py _running": "it ends at the first class on each way",
        },
    ),
    "effects": Fact(
        ("effects", "matching"),
        "what a call does to the world; `matching` reads the row, `effects` says what it comes to",
        _effects,
        {
            "semantics/adapters/agent_programs.py started_agents": "it makes matches, as `posted_requests.py` does",
            "semantics/agents/posted_requests.py _question": "it makes matches, which `effects` rests on",
        },
    ),
    "plain": Fact((), "a name whichever way it is written is `words.plain`", _plain, {}),
    "conditions": Fact(
        ("control",),
        "what is known where code stands, by every test on the ways there: `conditions.at`, `deciding`, `leavings`",
        _around,
        {
            "semantics/callgraph/lookups.py _bound": "it stands below control, and asks which names a lookup may have",
            "semantics/matching/properties.py _is_set_under_condition": "it stands below control",
            "semantics/loops/false_recursions.py _tries_again": "no guard: it asks if the branch is for a failure",
            "semantics/loops/unread_changes.py _is_recomputed": "no guard of a way: it asks what fills a place",
            "semantics/topics/outputs/policies.py only_refuses": "no guard: it asks if a look is the test",
            "semantics/topics/repeats/added_text.py _is_on_other_side": "no guard: which side of a test stands apart",
        },
    ),
    "choices": Fact(
        ("control",),
        "whether a test leaves, in whatever form: `choices`, `leavings`; at one place `conditions.at` and `deciding`",
        _leaving_tests,
        {
            "semantics/adapters/langgraph_choices.py _statement": "it runs a router with numbers that it has put in",
            "semantics/bounds/passed_counters.py _in_each_pass": "no guard: whether anything stands around a call",
            "semantics/bounds/ways_out.py _decided": "it goes through all statements, with what was answered before",
            "semantics/loops/workers.py _takes": "no guard: it asks what a loop's pass begins with",
            "semantics/matching/replaced_methods.py _is_untested": "it stands below control",
            "semantics/topics/peers/task_lives.py _of": "it goes through all statements, with what was sent before",
        },
    ),
    "sought": Fact((), "words that are sought before an expression: `regexes.Sought`", _sought, {}),
    "comparisons": Fact((), "how values are compared by size: `names/test_parts.py`", _comparisons, {}),
    "keyed": Fact(
        (),
        "what is taken out of a mapping under a written key: `names/keyed_reads.py`",
        _keyed,
        {
            "semantics/conversations/answered_fields.py _takes_fields": "a key that is a number is a field, too",
            "semantics/conversations/graph_state.py read": "the default stands for what no step wrote",
            "semantics/conversations/result_checks.py tells_failure": "what tells of an error is a flag or a number",
            "semantics/loops/workers.py _is_kept_by_key": "it asks for keys that are not written",
            "semantics/topics/credentials/forwarded.py _is_credential": "frameworks call it `header`, too",
        },
    ),
    "logs": Fact(
        (),
        "what a call is called that only says something: `names/log_calls.py`; by rows, `effects/records.py`",
        _logs,
        {"semantics/agents/shapes/tool_requests.py (module)": "whatever is done with messages but asking a model"},
    ),
    "pauses": Fact(
        (),
        "what a call is called that waits for a time: `names/pauses.py`",
        _pauses,
        {
            "semantics/bounds/container_limits.py (module)": "timers that throw something away later, not pauses",
            "semantics/control/unawaited.py (module)": "calls that run a function later and wait for nothing",
        },
    ),
    "spelling": Fact((), "lowering writes every operator in one way", _spelling, {}),
}


@cache
def readings() -> dict[str, frozenset[str]]:
    """For each fact the functions outside of its homes that read it for themselves: `semantics/room/file.py name`."""
    found: dict[str, set[str]] = {name: set() for name in FACTS}
    for room in ASKING:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            place = file.relative_to(PACKAGE / room).as_posix()
            away = [name for name, fact in FACTS.items() if not any(_is_in(place, home) for home in fact.homes)]
            for node, function in _nodes(ast.parse(file.read_text(encoding="utf-8")), "(module)"):
                for name in away:
                    if FACTS[name].reads(node):
                        found[name].add(f"{room}/{place} {function}")
    return {name: frozenset(places) for name, places in found.items()}


def _is_in(place: str, home: str) -> bool:
    return place == home or place.startswith(f"{home}/")


def _nodes(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node but those of annotations, with the name of the function that it stands in."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                inner = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
                yield child, inner
                yield from _nodes(child, inner)


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_is_read_in_its_home_alone(name: str) -> None:
    assert sorted(readings()[name] - FACTS[name].own.keys()) == []


@pytest.mark.parametrize("name", FACTS)
def test_who_may_read_it_elsewhere_does(name: str) -> None:
    assert FACTS[name].own.keys() <= readings()[name]
    assert all(len(reason.split()) > 3 for reason in FACTS[name].own.values())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("exits", "isinstance(node, (ir.Break, ir.Return))"),
        ("exits", "match node:\n    case ir.Raise(): pass"),
        ("exits", "name == 'sys.exit'"),
        ("spelling", "node.op in {'==', '==='}"),
        ("negation", "match node:\n    case ir.Operator(op='not', operands=(inner,)): pass"),
        ("negation", "node.op in {'and', 'or'}"),
        ("callers", "def up(f):\n    for site in program.callers(f):\n        up(site.scope)"),
        ("callers", "def up(f):\n    queue = [f]\n    for each in queue:\n        queue += program.callers(each)"),
        ("plain", "name.replace('_', '').lower() in WORDS"),
        ("plain", "name.lower().replace('_', '')"),
        ("conditions", "tests = structure.enclosing(call, ir.If)"),
        ("conditions", "def f(s, call):\n    return [n for n in own_nodes(s, ir.If) if structure.dominates(n, call)]"),
        ("choices", "def f(s):\n    return any(some_leave(*n.then) for n in own_nodes(s, ir.If))"),
        ("choices", "def f(node):\n    return isinstance(node, ir.If) and conditions.turns_away(node)"),
        ("sought", "any(word in data for word in WORDS) and PATTERN.search(data) is not None"),
        ("comparisons", "ORDER = frozenset({ir.Op.LT, ir.Op.GT, ir.Op.LE, ir.Op.GE})"),
        ("pauses", "PAUSES = ('sleep', 'delay')"),
        ("pauses", "regex('^(?:sleep|tick)$')"),
        ("pauses", "callee_name(call.callee) == 'sleep'"),
        ("logs", "SAYS = frozenset({'log', 'info', 'warn', 'close'})"),
        ("logs", "regex(r'^_?(?:print|log|debug)$')"),
        ("effects", "effect_rows(program, packs, call)"),
        ("effects", "self.context.packs.effects(path)"),
    ],
)
def test_it_is_seen(name: str, code: str) -> None:
    assert any(FACTS[name].reads(node) for node, _ in _nodes(ast.parse(code), "(module)"))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("exits", "def one(node: ir.Return) -> ir.Raise: pass"),
        ("negation", "match node:\n    case ir.Operator(op='or' | '??', operands=(first, *_)): pass"),
        ("negation", "words & {'not', 'and'}"),
        ("callers", "def up(f):\n    return [site.scope for site in program.callers(f)]"),
        ("plain", "name.replace('-', '_').lower()"),
        ("conditions", "tries = structure.enclosing(call, ir.Try)"),
        ("choices", "def f(s):\n    return any(leaves(one.node) for one in leavings(conditions, own_nodes(s)))"),
        ("sought", "any(word in WORDS for word in names) or PATTERN.search(data)"),
        ("comparisons", "op in {ir.Op.LT, ir.Op.LE}"),
        ("pauses", "path == 'py:time.sleep'"),
        ("logs", "{'error', 'warning'}"),
        ("logs", "'an info or a warning, no error'"),
        ("effects", "effects.rows(call)"),
    ],
)
def test_it_is_not_taken_for(name: str, code: str) -> None:
    assert not any(FACTS[name].reads(node) for node, _ in _nodes(ast.parse(code), "(module)"))
