"""YAML to the IR: the parser's events become nodes on a stack of our own, so that nothing recurses and nothing is lost.

What an error ends keeps everything before it. An anchored node is shared by its aliases, never copied; a cycle, and
aliases that would unfold to more than `NODE_LIMIT` nodes, are cut with a remark. Tags are kept out, the standard ones
are obeyed. A merge key `<<` gives an `Entry` without a key; it stands before the other entries, because they win over
it. Reads YAML 1.1 as PyYAML does. It knows no other format, and of a front matter only that it starts at an offset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from agent_architecture.regexes import regex
from agent_architecture.syntax.document_text import DEPTH_LIMIT
from agent_architecture.syntax.document_yaml_scalars import scalar_value
from agent_architecture.syntax.ir import Entry, List, Map, Opaque

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Expr

Event: TypeAlias = Any  # PyYAML's events; their stubs say that every mark may be missing

NODE_LIMIT: Final = 500_000
"""Nodes of one file when every alias is unfolded: more than 2 MB can hold, so only multiplied aliases reach it."""

_UNPRINTABLE = regex("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROPERTIES = regex(r"(?:[&!][^\s,\[\]{}]*(?:\s+|\Z))+")


def read_yaml(document: Document, start: int = 0, end: int | None = None) -> tuple[Expr, ...]:
    """The YAML documents between two offsets, one value each. What cannot be read is remarked."""
    import yaml

    text = document.text[start:end]
    if text.startswith("\ufeff"):
        text, start = text[1:], start + 1
    if broken := _UNPRINTABLE.search(text):
        document.remark(start + broken.start(), "a control character, which YAML forbids")
        text = _UNPRINTABLE.sub("\ufffd", text)
    composer = _Composer(document, text, start)
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        for event in yaml.parse(text, loader):
            composer.take(event)
    except _TooDeepError as error:
        document.remark(start + error.offset, f"nested deeper than {DEPTH_LIMIT} levels: the rest is not read")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        offset = start + min(mark.index if mark else 0, len(text))
        document.remark(offset, f"YAML: {error.problem or 'not readable'}; the rest is not read")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        document.remark(start, f"YAML: {str(error).splitlines()[0] if str(error) else 'not readable'}")
    return composer.finish()


class _TooDeepError(Exception):
    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


class _Size:
    """How large a node is when its aliases are unfolded: its nodes, and its levels."""

    __slots__ = ("levels", "nodes")

    def __init__(self, nodes: int = 1, levels: int = 0) -> None:
        self.nodes = nodes
        self.levels = levels


class _Frame:
    """One open mapping or sequence, or the stream (the outermost). A mapping's keys and values alternate in `nodes`."""

    __slots__ = ("anchor", "end", "is_flow", "is_map", "merges", "nodes", "size", "start")

    def __init__(self, start: int, anchor: str | None, *, is_map: bool, is_flow: bool) -> None:
        self.start = start
        self.end = start
        self.anchor = anchor
        self.is_map = is_map
        self.is_flow = is_flow
        self.nodes: list[Expr] = []
        self.merges: list[int] = []
        self.size = _Size()

    @property
    def expects_key(self) -> bool:
        return self.is_map and len(self.nodes) % 2 == 0


class _Composer:
    """Builds nodes from events."""

    def __init__(self, document: Document, text: str, start: int) -> None:
        self._document = document
        self._text = text
        self._start = start
        self._frames = [_Frame(0, None, is_map=False, is_flow=False)]
        self._anchors: dict[str, tuple[Expr | None, _Size, int]] = {}
        self._nodes = 0

    def take(self, event: Event) -> None:
        """Take one event."""
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._scalar(event)
        elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
            self._open(event, is_map=kind == "MappingStartEvent")
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            self._close(event.end_mark.index)
        elif kind == "AliasEvent":
            self._alias(event)
        elif kind == "DocumentStartEvent":
            self._anchors = {}

    def finish(self) -> tuple[Expr, ...]:
        """Close what an error left open, and give the values."""
        while len(self._frames) > 1:
            self._close(self._frames[-1].end)
        return tuple(self._frames[0].nodes)

    def _scalar(self, event: Event) -> None:
        start, end = self._places(event)
        frame = self._frames[-1]
        if frame.expects_key and event.value == "<<" and event.implicit[0]:
            frame.merges.append(len(frame.nodes))
        value = scalar_value(event, is_key=frame.expects_key)
        node = self._document.literal(self._start + start, self._start + end, value)
        if event.anchor:
            self._anchors[event.anchor] = (node, _Size(), start)
        self._add(node, _Size(), end)

    def _places(self, event: Event) -> tuple[int, int]:
        """Where a scalar stands without its anchor and tag, and without the blank lines after it."""
        start, end = event.start_mark.index, event.end_mark.index
        if (event.anchor or event.tag) and (found := _PROPERTIES.match(self._text, start, end)):
            start = found.end()
        if event.style in {"|", ">"}:
            end = max(start, start + len(self._text[start:end].rstrip()))
        return start, end

    def _open(self, event: Event, *, is_map: bool) -> None:
        start = event.start_mark.index
        if len(self._frames) > DEPTH_LIMIT:
            raise _TooDeepError(start)
        if found := _PROPERTIES.match(self._text, start):
            start = found.end() if event.anchor or event.tag else start
        if event.anchor:
            self._anchors[event.anchor] = (None, _Size(), start)
        self._frames.append(_Frame(start, event.anchor, is_map=is_map, is_flow=bool(event.flow_style)))

    def _close(self, end: int) -> None:
        frame = self._frames.pop()
        end = end if frame.is_flow else frame.end
        span = self._document.span(self._start + frame.start, self._start + max(frame.start, end))
        node = Map(span, tuple(self._entries(frame))) if frame.is_map else List(span, tuple(frame.nodes))
        if frame.anchor:
            self._anchors[frame.anchor] = (node, frame.size, frame.start)
        self._add(node, frame.size, max(frame.start, end), counted=True)

    def _entries(self, frame: _Frame) -> Iterator[Entry]:
        if frame.expects_key is False:
            offset = self._start + frame.end
            frame.nodes.append(self._document.unread(offset, offset, "error"))
        yield from (Entry(None, part) for at in frame.merges for part in _merged(frame.nodes[at + 1]))
        for at in range(0, len(frame.nodes), 2):
            if at not in frame.merges:
                yield Entry(frame.nodes[at], frame.nodes[at + 1])

    def _alias(self, event: Event) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        node, size, _ = self._anchors.get(event.anchor, (None, _Size(), 0))
        if node and self._nodes + size.nodes <= NODE_LIMIT and len(self._frames) + size.levels <= DEPTH_LIMIT:
            self._add(node, size, end)
        else:
            self._add(self._cut(event.anchor, node, start, end), _Size(), end)

    def _cut(self, anchor: str, node: Expr | None, start: int, end: int) -> Opaque:
        if node:
            kind, why = "too_large", "unfolds to more than is read"
        elif anchor in self._anchors:
            kind, why = "cycle", "stands inside what it names"
        else:
            kind, why = "error", "names no anchor"
        self._document.remark(self._start + start, f"the alias *{anchor[:40]} {why}")
        return self._document.unread(self._start + start, self._start + end, kind)

    def _add(self, node: Expr, size: _Size, end: int, *, counted: bool = False) -> None:
        frame = self._frames[-1]
        frame.nodes.append(node)
        frame.end = max(frame.end, end)
        frame.size.nodes += size.nodes
        frame.size.levels = max(frame.size.levels, size.levels + 1)
        self._nodes += 1 if counted else size.nodes


def _merged(value: Expr) -> tuple[Expr, ...]:
    """What a merge key spreads, the weakest first: the first of a list wins over the others."""
    return tuple(reversed(value.items)) if isinstance(value, List) else (value,)
