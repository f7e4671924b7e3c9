"""A static analyser for AI-agent code.

The public API is `analyze`, `Session` and the types in what they return; everything else may change between versions.

    from pathlib import Path
    from agent_architecture import analyze

    outcome = analyze([Path("my-agent")])
    for finding in outcome.report.findings:
        print(finding.rule_id, finding.title)

A `Session` is asked again and again while somebody works on the project, and answers faster than a scan from nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_architecture.config import Config
    from agent_architecture.findings import Evidence, Finding
    from agent_architecture.pipeline import analyze
    from agent_architecture.report import Outcome, Report
    from agent_architecture.session import Session

__all__ = ["Config", "Evidence", "Finding", "Outcome", "Report", "Session", "analyze"]

_HOMES = {
    "Config": "config",
    "Evidence": "findings",
    "Finding": "findings",
    "Outcome": "report",
    "Report": "report",
    "Session": "session",
    "analyze": "pipeline",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: start-up stays short."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
