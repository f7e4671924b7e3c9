"""What is found, as diagnostics: one for each place at which a guardrail is missing, and one for each notice of a file.

Pure, apart from reading the files whose places are counted in an editor's units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    Range,
)

from agent_architecture.detector import Severity
from agent_architecture.language_server.roots import uri_of
from agent_architecture.registry import load_one
from agent_architecture.render.findings_text import short
from agent_architecture.render.places import in_order
from agent_architecture.render.safe import visible
from agent_architecture.render.standards import address_of
from agent_architecture.sources.source import Span

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.language_server.analysis import Answer, Refused
    from agent_architecture.language_server.roots import Root
    from agent_architecture.language_server.texts import Texts
    from agent_architecture.render.places import Placed
    from agent_architecture.sources.source import Notice

SOURCE: Final = "agent-architecture"
SEVERITIES: Final = {
    Severity.CRITICAL: DiagnosticSeverity.Error,
    Severity.HIGH: DiagnosticSeverity.Error,
    Severity.MEDIUM: DiagnosticSeverity.Warning,
    Severity.LOW: DiagnosticSeverity.Information,
}
"""As SARIF's levels (`render.sarif`)."""

Found: TypeAlias = "dict[Path, list[Diagnostic]]"


def of_answer(answer: Answer, root: Root, texts: Texts) -> Found:
    """The diagnostics of a project by file; a file that has none is left out."""
    found: Found = {}
    for one in in_order(answer.report.findings):
        path = root.path(one.span.path)
        found.setdefault(path, []).append(_gap(one, root, texts))
    for notice in answer.report.notices:
        if notice.path:
            path = root.path(notice.path)
            found.setdefault(path, []).append(_notice(notice, texts, path))
    return found


def of_refused(refused: Refused) -> Found:
    """What is wrong with a configuration, in its file."""
    if refused.file is None:
        return {}
    told = [
        Diagnostic(
            _line(problem.line, max(problem.column, 1)),
            visible(problem.message),
            DiagnosticSeverity.Error,
            source=SOURCE,
        )
        for problem in refused.problems
    ]
    return {refused.file: told}


def _line(line: int, column: int = 1) -> Range:
    """A line from a column on; what it holds is ASCII up to there, or the column is near enough."""
    start = Position(max(line - 1, 0), column - 1)
    return Range(start, Position(start.line + 1, 0))


def _gap(one: Placed, root: Root, texts: Texts) -> Diagnostic:
    finding, evidence = one.finding, one.evidence
    detector = load_one(finding.key)
    related = [
        DiagnosticRelatedInformation(
            Location(uri_of(path := root.path(span.path)), texts.of(path).range(span)), "see also"
        )
        for span in evidence.related
    ]
    return Diagnostic(
        range=texts.of(root.path(one.span.path)).range(one.span),
        message=said(evidence.message, finding.recommendation),
        severity=SEVERITIES.get(finding.severity, DiagnosticSeverity.Hint),
        code=short(finding.rule_id),
        code_description=CodeDescription(address_of(detector)),
        source=SOURCE,
        related_information=related or None,
        data={"fingerprint": evidence.fingerprint},
    )


def said(reason: str, recommendation: str) -> str:
    """What is missing, then what closes the gap; both may hold names of the project."""
    first, *more = (visible(line) for line in recommendation.splitlines())
    return "\n".join([visible(reason), f"fix: {first}", *(f"     {line}" for line in more)])


def _notice(notice: Notice, texts: Texts, path: Path) -> Diagnostic:
    """Something that the user should know of the file; nothing is missing because of it."""
    line = notice.line or 0
    place = texts.of(path).range(Span(notice.path, line, 1, line + 1, 1))
    severity = DiagnosticSeverity.Information if notice.incomplete else DiagnosticSeverity.Hint
    return Diagnostic(place, visible(notice.message), severity, source=SOURCE)
