"""Displays that the statements after them complete, in the form that is written at once.

`x = {}; x["a"] = 1` is `x = {"a": 1}`, and `x = []; x.append(a)` is `x = [a]`, in both languages. Only what surely
comes next is taken in: nothing that a test decides, nothing after the first other use of the name. What stands between
may give names to other values (`x = {}; y = f(); x["a"] = y`), as long as no call comes after another one by it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    _Part: TypeAlias = "ir.Entry | ir.Expr"

_APART: Final = 12
"""Statements that may stand between the beginning of a display and its next part."""


class _Begun:
    """A display that may still grow: the statement that begins it, what is added, and what that names and calls."""

    __slots__ = ("acts", "added", "apart", "assign", "at", "display", "end", "keys", "names")

    def __init__(self, at: int, assign: ir.Assign, display: ir.Map | ir.List) -> None:
        self.at = at
        self.assign = assign
        self.display = display
        self.end = assign.span
        self.added: list[_Part] = []
        self.names, self.acts, _ = _told_of(display)
        self.keys = _keys(display.entries) if isinstance(display, ir.Map) else set()
        self.apart = 0

    def take(self, node: ir.Node, parts: Sequence[_Part], names: set[str]) -> None:
        """Another part of it."""
        self.end = node.span
        self.added += parts
        self.names |= names
        values = [part.value if isinstance(part, ir.Entry) else part for part in parts]
        self.acts = self.acts or any(_told_of(value)[1] for value in values)
        self.keys |= _keys([part for part in parts if isinstance(part, ir.Entry)])
        self.apart = 0

    def whole(self) -> ir.Assign:
        """The statement that builds all of it. The display keeps its place, so that what was added stands outside."""
        if not self.added:
            return self.assign
        display = self.display
        if isinstance(display, ir.Map):
            value: ir.Expr = display._replace(entries=(*display.entries, *self.added))
        else:
            value = display._replace(items=(*display.items, *self.added))
        first, last = self.assign.span, self.end
        span = Span(first.path, first.line, first.col, last.end_line, last.end_col)
        return self.assign._replace(span=span, value=value)


def _keys(entries: Sequence[ir.Entry]) -> set[ir.Constant]:
    """The keys that are written; one that is given again is changed, and nothing is added."""
    return {entry.key.value for entry in entries if isinstance(entry.key, ir.Literal)}


def gathered(nodes: Sequence[ir.Node]) -> tuple[ir.Node, ...]:
    """The statements of a block, with each display that they build in one piece."""
    if not any(_display(node) is not None for node in nodes[:-1]):
        return tuple(nodes)
    values = Counter([id(node.value) for node in nodes if isinstance(node, ir.Assign)])
    kept: list[ir.Node | _Begun | None] = []
    begun: dict[str, _Begun] = {}
    for node in nodes:
        names, acts, scopes = _told_of(node)
        name = _changed(node)
        growing = begun.get(name) if name is not None else None
        parts = None if growing is None else _parts(growing, node)
        if growing is not None and parts is not None and name is not None and _uses(node, name) == 1:
            kept[growing.at] = None
            growing.at = len(kept)
            growing.take(node, parts, names - {name})
            kept.append(growing)
            begun = {one: b for one, b in begun.items() if one == name or one not in names}
            continue
        begun = {
            one: b for one, b in begun.items() if not scopes and one not in names and _may_pass(b, node, acts=acts)
        }
        match node:
            case ir.Assign(target=ir.Name(id=new)) if (display := _display(node)) and values[id(display)] == 1:
                begun[new] = _Begun(len(kept), node, display)
                kept.append(begun[new])
            case _:
                kept.append(node)
    return tuple([one.whole() if isinstance(one, _Begun) else one for one in kept if one is not None])


def _display(node: ir.Node) -> ir.Map | ir.List | None:
    """What a statement gives a name, where that is a table or a list that can grow."""
    match node:
        case ir.Assign(target=ir.Name(), value=ir.Map() | ir.List(kind="list") as display, op=None):
            return display
    return None


def _told_of(node: ir.Node) -> tuple[set[str], bool, bool]:
    """The names in a node, whether it calls, waits or hands out something, and whether code of another scope is in
    it.
    """
    names: set[str] = set()
    acts = scopes = False
    for inner in ir.walk(node):
        if isinstance(inner, ir.Name):
            names.add(inner.id)
        elif isinstance(inner, (ir.Call, ir.Await, ir.Yield)):
            acts = True
        elif isinstance(inner, (ir.Function, ir.Class)):
            scopes = True
    return names, acts, scopes


def _uses(node: ir.Node, name: str) -> int:
    return sum(isinstance(inner, ir.Name) and inner.id == name for inner in ir.walk(node))


def _may_pass(begun: _Begun, node: ir.Node, *, acts: bool) -> bool:
    """Whether a display may as well be built after a statement that does not name it: one that gives a value a name."""
    begun.apart += 1
    match node:
        case ir.Assign(target=ir.Name(id=name), op=None):
            return begun.apart <= _APART and name not in begun.names and not (acts and begun.acts)
        case ir.Assign(target=ir.Index(target=ir.Name(id=name)), op=None):
            return begun.apart <= _APART and name not in begun.names and not (acts and begun.acts)
        case ir.Call(callee=ir.Member(target=ir.Name(id=name), name="append" | "push")):
            return begun.apart <= _APART and name not in begun.names and not begun.acts
    return False


def _changed(node: ir.Node) -> str | None:
    """The name of what a statement adds something to."""
    match node:
        case ir.Assign(target=ir.Index(target=ir.Name(id=name)) | ir.Member(target=ir.Name(id=name)), op=None):
            return name
        case ir.Call(callee=ir.Member(target=ir.Name(id=name))):
            return name
    return None


def _parts(begun: _Begun, node: ir.Node) -> Sequence[_Part] | None:
    """What a statement adds to a display; None where it does something else."""
    if isinstance(begun.display, ir.Map):
        match node:
            case ir.Assign(target=ir.Index(key=key), value=value) if value is not None:
                found = ir.Entry(key, value)
            case ir.Assign(target=ir.Member(name=name, name_span=span), value=value) if value is not None:
                found = ir.Entry(ir.Literal(span, name), value)
            case _:
                return None
        return None if isinstance(found.key, ir.Slice) or _keys([found]) & begun.keys else (found,)
    match node:
        case ir.Call(callee=ir.Member(name="append" | "push"), args=args) if args:
            plain = all(argument.keyword is None and not argument.spread for argument in args)
            return [argument.value for argument in args] if plain else None
    return None
