"""The project that the tests of this folder start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from configuration_project import AGENT, Project


@pytest.fixture
def project(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, capfd, monkeypatch)
    made.write("app/agent.py", AGENT)
    return made
