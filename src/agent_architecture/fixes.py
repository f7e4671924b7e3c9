"""What closes a gap: a line for the library and version at hand, with the project's own names, or advice in words.

Knows verdicts and the lines of the packs; it must not know how a report shows them.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import ParameterKind
from agent_architecture.model.project import MADE_BY
from agent_architecture.model.system import Tool
from agent_architecture.regexes import regex
from agent_architecture.wording import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.detector import Detector, Verdict
    from agent_architecture.model.effects import Parameter
    from agent_architecture.model.project import Fix

ECOSYSTEMS: Final = {
    **dict.fromkeys((".py", ".pyi", ".ipynb"), "pypi"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), "npm"),
}
"""File extension → ecosystem of the libraries used there, as framework packs write it."""
COMMENTS: Final = {"pypi": "  # ", "npm": " // "}
TOOL: Final = "<tool>"
"""Where a line of a pack names a tool; it stands as it is where the project's name is not known."""
ARGUMENT: Final = "<argument>"
"""Where a line of a pack names an argument of the tool: it fits tools of which one can be read."""
RUN: Final = regex(r"<run:([\w.]+)>")
"""Where a line of a pack runs an agent, with what it calls where the project's call is not known."""
CALLED: Final = regex(r"^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$")
"""A method that is called on a name, as a gap at a run is called by."""
NAME: Final = regex(r"^[A-Za-z_$][\w$]*$")
"""A name of a tool that may stand in code; a scanned project may call its tools anything."""


def advice(detector: Detector, gaps: Sequence[Verdict], fixes: Iterable[Fix]) -> str:
    """What closes gaps of one rule, of which the first is the worst: the line for its library, else words."""
    worst = gaps[0]
    line = next(_lines(detector, worst, fixes), None)
    if line is None:
        return in_words(detector, worst)
    told = [worst] if ARGUMENT in line.text else gaps
    names = [name for gap in told if _fits(line, gap) and (name := tool_name(gap))]
    text = RUN.sub(lambda found: run_name(worst) or found[1], line.text.replace(ARGUMENT, argument_name(worst)))
    return _with_names(line._replace(text=text), names)


def in_words(detector: Detector, gap: Verdict) -> str:
    """The detector's own advice, for what the gap lacks alone."""
    if not gap.lacks or set(gap.lacks) >= set(detector.parts):
        return detector.fix
    return " ".join(detector.parts[part] for part in detector.parts if part in gap.lacks) or detector.fix


def _lines(detector: Detector, gap: Verdict, fixes: Iterable[Fix]) -> Iterator[Fix]:
    """The lines that fit the gap."""
    return (fix for fix in fixes if fix.detector == detector.key and _fits(fix, gap))


def _fits(fix: Fix, gap: Verdict) -> bool:
    """Whether a line is for the library, version and code at a gap, and brings something that it lacks."""
    is_here = (fix.framework, fix.ecosystem) == (gap.subject.framework, _ecosystem(gap))
    is_usable = fix.files is None or gap.span.path in fix.files
    is_named = ARGUMENT not in fix.text or bool(argument_name(gap))
    return (
        is_here
        and is_usable
        and is_named
        and (not (fix.parts and gap.lacks) or not set(fix.parts).isdisjoint(gap.lacks))
    )


def _ecosystem(gap: Verdict) -> str:
    return ECOSYSTEMS.get(PurePosixPath(gap.span.path).suffix.lower(), "")


def tool_name(gap: Verdict) -> str:
    """The name of the tool that a gap is about; "" where it is about none, or about one whose name is no plain name."""
    tool = getattr(gap.subject, "tool", gap.subject)
    return tool.name if isinstance(tool, Tool) and NAME.match(tool.name) else ""


def run_name(gap: Verdict) -> str:
    """The call that runs the agent that a gap is about (`agent.ainvoke`); "" where it is none."""
    return gap.subject.symbol if CALLED.match(gap.subject.symbol) else ""


def argument_name(gap: Verdict) -> str:
    """The argument of a tool that a gap is about, where its name may stand in code: the first that admits anything, or
    holds one that does; else the first without bounds; else the first. "" where none can be read.
    """
    tool = getattr(gap.subject, "tool", gap.subject)
    own = [one for one in tool.schema.parameters if NAME.match(one.name)] if isinstance(tool, Tool) else []
    worst = (one for kind in (ParameterKind.UNTYPED, ParameterKind.FREE) for one in own if _holds(one, kind))
    found = next(worst, own[0] if own else None)
    return found.name if found is not None else ""


def _holds(one: Parameter, kind: ParameterKind) -> bool:
    return one.kind is kind or any(_holds(field, kind) for field in one.fields)


def plain(text: str) -> str:
    """A line as it stands in no project: with places for its names, and the calls that the pack gives."""
    for place in (RUN, MADE_BY):
        text = place.sub(lambda found: found[1].partition("|")[0], text)
    return text


def _with_names(line: Fix, names: Sequence[str]) -> str:
    """The line for these tools: in the place that it has for one, else in a comment that says what it is for."""
    if not names:
        return line.text
    first, *others = dict.fromkeys(names)
    text = line.text.replace(TOOL, first)
    if first not in text:
        return _commented(text, line.ecosystem, f"for {named((first, *others))}")
    return _commented(text, line.ecosystem, f"and for {named(tuple(others))}") if others and TOOL in line.text else text


def _commented(text: str, ecosystem: str, remark: str) -> str:
    """A line with a remark in its comment, before what is said there already."""
    mark = COMMENTS[ecosystem]
    code, has_comment, rest = text.partition(mark)
    return f"{code}{mark}{remark}; {rest}" if has_comment else f"{text}{mark}{remark}"
