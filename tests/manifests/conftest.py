"""Projects made of manifests and lock files, read as a scan reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from agent_architecture.semantics.manifests.versions import Versions, read_versions
from agent_architecture.sources.walk import walk

KNOWN = {
    ("pypi", "langgraph"): ("0.2.0", "1.0.6", "1.1.10", "1.2.22"),
    ("pypi", "langchain-core"): ("0.3.0", "1.0.0"),
    ("npm", "ai"): ("4.0.0", "5.0.0", "6.0.0"),
    ("npm", "@openai/agents"): ("0.1.0", "0.2.0"),
}
NEWEST = {package: versions[-1] for package, versions in KNOWN.items()}

Read = Callable[[Mapping[str, str]], Versions]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write files into a project and read its versions."""

    def read_project(files: Mapping[str, str]) -> Versions:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return read_versions(walk([tmp_path]).manifests, NEWEST, KNOWN)

    return read_project
