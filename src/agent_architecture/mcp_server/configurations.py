"""Configuration files, for clients: what may stand in one, what is wrong with one, and one that fits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.config import configure
from agent_architecture.configuration.check import check
from agent_architecture.configuration.discover import NAMES, discover, named
from agent_architecture.configuration.keys import KEYS
from agent_architecture.configuration.source import source_of_file
from agent_architecture.errors import ConfigurationError, UsageError
from agent_architecture.mcp_server import answers
from agent_architecture.mcp_server.summaries import MOST, untrusted
from agent_architecture.policy.invariants import checked as checked_invariants
from agent_architecture.suggested import NAME, suggested

if TYPE_CHECKING:
    from agent_architecture.mcp_server.roots import Roots


def help_of(prefix: str) -> answers.ConfigHelp:
    """The keys whose paths begin so."""
    keys = [
        answers.ConfigKey(
            path=key.path, kind=key.kind.value, default=key.default, meaning=key.doc, words=list(key.words)
        )
        for key in KEYS
        if key.path.startswith(prefix)
    ]
    return answers.ConfigHelp(file_names=list(NAMES), keys=keys)


def checked(path: Path, roots: Roots) -> answers.ConfigChecked:
    """What is wrong with the file at a path, or the one that holds in a folder.

    Raises:
        UsageError: there is none in the roots.
    """
    try:
        file = named(path) if path.is_file() else discover(path)
        if file is None or not any(file.path.resolve().is_relative_to(root) for root in roots.folders):
            raise UsageError(f"there is no configuration here ({NAMES[0]}); config_suggest makes one")
        problems = [
            answers.Problem(line=one.line, column=one.column, untrusted_message=untrusted(one.message))
            for one in check(file.root)
        ]
        if not problems:
            checked_invariants(configure(source_of_file(file)).policy.invariants)
    except ConfigurationError as error:
        problems = [answers.Problem(line=0, column=0, untrusted_message=untrusted(str(error)))]
    return answers.ConfigChecked(valid=not problems, problems=problems[:MOST])


def suggested_for(folder: Path) -> answers.ConfigSuggested:
    """A configuration that fits a folder.

    Raises:
        UsageError: it is no folder.
    """
    if not folder.is_dir():
        raise UsageError("a configuration is suggested for a folder")
    return answers.ConfigSuggested(file_name=NAME, untrusted_yaml=suggested(folder))
