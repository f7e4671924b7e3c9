"""The repairs of a report: for each gap that is shown, the edits that close it, where packs know some."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.fixing.edit import Applicability, Edit, Repair, edit_at, in_order
from agent_architecture.fixing.imports import imported
from agent_architecture.fixing.outcomes import identity
from agent_architecture.fixing.pins import pinned
from agent_architecture.fixing.places import Places, shown_gaps
from agent_architecture.fixing.values import CALLS, OBJECTS, Changes, Written, at_decorator, in_call, in_object
from agent_architecture.sources.languages import language_of
from agent_architecture.sources.source import Language
from agent_architecture.syntax.trees import bytes_of, nodes_at, root_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from agent_architecture.detector import Verdict
    from agent_architecture.fixing.lists import Change
    from agent_architecture.model.fix_places import Mend
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

Read = Callable[[str], "bytes | None"]
"""Gives the text of a file of the report, as UTF-8 without a byte order mark; None for one that has none."""

Chosen: TypeAlias = "tuple[Mend, tuple[Edit, ...]]"
"""A mend, and what it changes."""

CODE: Final = frozenset({Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})


def repairs_of(report: Report, read: Read) -> tuple[Repair, ...]:
    """The repairs of the gaps that a report shows, by place: at most one for a gap. Whether a gap is closed by one,
    and nothing else opened, only another analysis tells: `fixing.applied` asks it.
    """
    places, texts = Places(report), _Texts(read)
    found = (_repair(key, gap, places, texts) or pinned(key, gap, read) for key, gap in shown_gaps(report))
    return tuple(sorted(repair for repair in found if repair is not None))


class _Texts:
    """The texts of files and their trees, each read once."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[str, tuple[bytes, Node] | None] = {}

    def of(self, path: str) -> tuple[bytes, Node] | None:
        if path not in self._known:
            language = language_of(path.rpartition("/")[2], "")
            data = self._read(path) if language in CODE else None
            self._known[path] = (data, root_of(data, language)) if data is not None and language is not None else None
        return self._known[path]


def _repair(key: str, gap: Verdict, places: Places, texts: _Texts) -> Repair | None:
    """The repair by the nearest mends that bring all that the gap lacks; else by one that writes over the gap."""
    for group in places.of(key, gap):
        made = [(mend, edits) for mend in group if (edits := _edits(mend, texts))]
        chosen = _covering(gap, made)
        if chosen:
            return _made(key, gap, chosen)
    for mend in places.elsewhere(key, gap):
        edits = _edits(mend, texts)
        if any(edit.span.contains(span) for edit in edits for span in (gap.span, *gap.related)):
            return _made(key, gap, [(mend, edits)])
    return None


def _made(key: str, gap: Verdict, chosen: Sequence[Chosen]) -> Repair:
    said = " and ".join(dict.fromkeys(_said(mend) for mend, _ in chosen))
    kind = Applicability.SAFE if all(mend.way.safe for mend, _ in chosen) else Applicability.UNSAFE
    edits = in_order(edit for _, some in chosen for edit in some)
    rows = tuple(dict.fromkeys((mend.framework, mend.number) for mend, _ in chosen))
    opens = tuple(dict.fromkeys(rule for mend, _ in chosen for rule in mend.way.opens))
    return Repair(key, gap.span, identity(key, gap)[2], said, kind, edits, gap.lacks, rows, opens)


def _covering(gap: Verdict, made: Sequence[Chosen]) -> Sequence[Chosen]:
    """One way at each call for each part that the gap lacks; none where a part is left."""
    chosen: list[Chosen] = []
    taken: set[tuple[Span, str]] = set()
    for mend, edits in made:
        parts = set(mend.way.parts or gap.lacks or ("",)) & set(gap.lacks or mend.way.parts or ("",))
        new = {(mend.call, part) for part in parts} - taken
        if new:
            taken |= new
            chosen.append((mend, edits))
    return chosen if {part for _, part in taken} >= set(gap.lacks) else []


def _said(mend: Mend) -> str:
    """What a way writes, as a person would say it: "`max_turns` = 20 at run"."""
    named = (".".join(step for step in steps if isinstance(step, str)) for steps in mend.way.at)
    name = next(filter(None, named), "the argument")
    if mend.way.value:
        return f"set `{name}` to `{mend.way.value}` at `{mend.called}`"
    if mend.way.renames:
        return " or ".join(f"`{new}` instead of `{old}`" for old, new in mend.way.renames)
    told = ", ".join(f"{key}: {value}" for key, value in (*mend.way.keys, *mend.way.fills))
    return f"set `{name}` to `{told}` at `{mend.called}`"


# --------------------------------------------------------------------------------------------------------------- edits
def _edits(mend: Mend, texts: _Texts) -> tuple[Edit, ...]:
    """What a mend changes in its file; nothing where it cannot be written there."""
    text = texts.of(mend.call.path)
    if text is None:
        return ()
    data, root = text
    changes, needed = _changes(data, root, mend), imported(data, root, mend.way)
    if not changes or needed is None:
        return ()
    return tuple(_edit(data, mend.call.path, one) for one in (*needed, *changes))


def _changes(data: bytes, root: Node, mend: Mend) -> Changes:
    way, place = mend.way, bytes_of(data, mend.call)
    written = Written(way.value, way.makes, way.keys, way.fills, way.renames)
    nodes = list(nodes_at(root, *place)) if place is not None else []
    if mend.is_bare:
        name = next((node for node in nodes if node.parent is not None and node.parent.type == "decorator"), None)
        return at_decorator(name, way.at, written) if name is not None else ()
    node = next((node for node in nodes if node.type in CALLS or node.type in OBJECTS), None)
    if node is None:
        return ()
    if node.type in CALLS:
        return in_call(data, node, way.at, written)
    steps = next(_keys(mend), None)
    return in_object(data, node, steps, written) if steps else ()


def _keys(mend: Mend) -> Iterator[tuple[int | str, ...]]:
    """The places in an object that stands for arguments: keys alone."""
    for steps in mend.way.at:
        keys = steps[1:] if isinstance(steps[0], int) else steps
        if keys:
            yield keys


def _edit(data: bytes, path: str, change: Change) -> Edit:
    return edit_at(data, path, (change.start, change.end), change.text.decode())
