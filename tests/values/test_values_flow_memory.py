"""Where a value comes from does not depend on what was asked before, nor on how much of it is remembered."""

from pathlib import Path

import pytest
from values_project import asked, open_program

from agent_architecture.names import flow
from agent_architecture.names.program import Program
from agent_architecture.syntax import ir

CALLS = (
    "def pick(x, y):\n    return x\ndef twice(x):\n    return pick(x, x)\n"
    "show(pick(source(), 1))\nshow(twice('a'))\nshow(pick)"
)
PARTS = "d = {'a': source(), 'b': 1}\nd['c'] = more()\nshow(d['a'])\nshow(d)\nshow(d['c'])\nshow(d['b'])"
OBJECTS = (
    "class A:\n    def __init__(self, x):\n        self.x = x\n    def get(self):\n        return self.x\n"
    "a, b = A(source()), A('b')\nshow(a.x)\nshow(b.get())\nshow(a.get())"
)
CIRCLE = (
    "def one(x):\n    return two(x + 1)\ndef two(x):\n    return one(x) if x else x\n"
    "show(one(source()))\nshow(two('a'))"
)
HANDED = (
    "def use(code):\n    show(code)\n    show(f'run {code}')\n"
    "use(source())\nuse('text')\nfor part in source():\n    use(part)"
)
LINES = "first = source()\nsecond = (\n    first\n    + more()\n)\nshow([second, second])\nshow(second)"

Told = list[tuple[object, ...]]


def _said(found: tuple[flow.Origin, ...]) -> Told:
    return [(one.kind, one.node.span, one.name, one.passed, one.trail) for one in found]


def _joined(node: ir.Expr, passed: frozenset[str]) -> list[flow.Step] | str | None:
    """A reader that says something of sums and texts, and what it says of them twice."""
    if isinstance(node, ir.Template):
        return [flow.Step(part, "twice" if "text" in passed else "text") for part in node.parts]
    return "sum" if isinstance(node, ir.Operator) else None


def _answers(program: Program, reader: flow.Reader | None, order: int) -> dict[int, Told]:
    """The answers to all questions, asked in an order, by the place of the question."""
    numbered = list(enumerate(asked(program)))[::order]
    return {number: _said(flow.origins(program, expr, reader)) for number, expr in numbered}


@pytest.mark.parametrize("body", [CALLS, PARTS, OBJECTS, CIRCLE, HANDED, LINES])
@pytest.mark.parametrize("reader", [None, _joined])
def test_what_was_asked_before_does_not_matter(tmp_path: Path, body: str, reader: flow.Reader | None) -> None:
    first = _answers(open_program(tmp_path, {"a.py": body}), reader, 1)
    program = open_program(tmp_path, {"a.py": body})
    assert _answers(program, reader, -1) == first
    for expr in asked(program):
        flow.ends(program, expr)
        flow.origins(program, expr, None if reader else _joined)
    assert _answers(program, reader, 1) == first


@pytest.mark.parametrize("body", [CALLS, PARTS, OBJECTS, CIRCLE, HANDED, LINES])
def test_what_is_forgotten_in_between_does_not_matter(
    tmp_path: Path, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _answers(open_program(tmp_path, {"a.py": body}), _joined, 1)
    monkeypatch.setattr(flow, "REMEMBERED", 1)
    program = open_program(tmp_path, {"a.py": body})

    def asking(node: ir.Expr, passed: frozenset[str]) -> list[flow.Step] | str | None:
        flow.origins(program, node)  # forgets all points, while the walk of whoever asks is not over
        return _joined(node, passed)

    assert _answers(program, asking, 1) == first
    assert _answers(program, asking, -1) == first


@pytest.mark.parametrize("body", [CALLS, PARTS, OBJECTS, CIRCLE, HANDED, LINES])
def test_ends_are_the_origins_without_their_ways(tmp_path: Path, body: str) -> None:
    program = open_program(tmp_path, {"a.py": body})
    for expr in asked(program):
        ends = flow.ends(program, expr)
        origins = flow.origins(program, expr)
        assert [(one.kind, one.node, one.name) for one in ends] == [(one.kind, one.node, one.name) for one in origins]
        assert flow.ends(program, expr) is ends


def test_a_trail_has_one_place_of_each_line_and_ends_where_was_asked(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"a.py": LINES})
    trails = {
        one.node.callee.id: [span.line for span in one.trail]
        for one in flow.origins(program, asked(program)[0])
        if isinstance(one.node, ir.Call) and isinstance(one.node.callee, ir.Name)
    }
    assert trails == {"source": [1, 3, 6], "more": [4, 3, 6]}


def test_what_is_beyond_the_limit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "LIMIT", 3)
    text = "".join(f"x{n + 1} = x{n}\n" for n in range(9)) + "show(x9)"
    program = open_program(tmp_path, {"a.py": f"x0 = source()\n{text}"})
    (found,) = flow.origins(program, asked(program)[0])
    assert (found.kind, found.node.span.line, [span.line for span in found.trail]) == ("unknown", 8, [8, 9, 10, 11])
