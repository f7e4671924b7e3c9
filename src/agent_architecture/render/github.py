"""Workflow commands of GitHub Actions: an annotation for each piece of evidence, the worst first (GitHub shows ten of a
level), then for violations and notices.

The escapes are those of the toolkit (@actions/core 1.11, `command.ts`): without them a scanned project could write
commands of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.render.places import in_order, joined
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.report import Outcome

LEVELS: Final = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
}


def render(outcome: Outcome, *, prefix: str = "") -> str:
    """The annotations, a line each; `prefix` leads from the repository's top to the scanned root."""
    return "".join(f"{line}\n" for line in _lines(outcome, prefix))


def _lines(outcome: Outcome, prefix: str) -> Iterator[str]:
    changes = outcome.comparison
    for one in in_order(outcome.report.findings, None if changes is None else changes.known):
        place = {"file": prefix + one.span.path}
        if one.line:
            place |= {"line": str(one.line), "endLine": str(one.span.end_line)}
        new = "New: " if changes is not None and one.evidence.fingerprint not in changes.known else ""
        title = {"title": f"{new}{one.finding.title} ({one.finding.rule_id})"}
        message = f"{one.evidence.message} {one.finding.recommendation}"
        yield _command(LEVELS[one.finding.severity], {**place, **title}, message)
    for violation in outcome.violations:
        level = "error" if violation.severity == "error" else "warning"
        yield _command(level, {"title": "policy"}, violation.text)
    for reason in outcome.decision.reasons:
        yield _command("error", {"title": "failed"}, reason)
    for notice in outcome.report.notices:
        place = {"file": joined(prefix, notice.path)} if notice.path else {}
        if notice.line:
            place["line"] = str(notice.line)
        yield _command("notice", {**place, "title": "not analysed"}, notice.message)


def _command(level: str, properties: dict[str, str], message: str) -> str:
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
