"""The project that most conversations are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.serving.agents import AGENT, TOOL

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an agent that has a tool, and no limit."""
    root = tmp_path / "project"
    root.mkdir()
    text = AGENT.replace('name="helper"', 'name="helper", tools=[look]')
    (root / "agent.py").write_text(text.replace("\n\nagent", "\nfrom tools import look\n\nagent"), encoding="utf-8")
    (root / "tools.py").write_text(TOOL, encoding="utf-8")
    (root / "requirements.txt").write_text("openai-agents==0.6.0\n", encoding="utf-8")
    return root
