"""The errors that a user can cause, and their exit codes.

    AgentArchitectureError
    ├── UsageError            exit 2   a path, flag or rule that does not exist
    ├── ConfigurationError    exit 2   a configuration file that cannot be obeyed (file, line, nearest name)
    └── PackError             exit 2   a malformed framework pack (file and row)

Everything else that goes wrong in a scanned project is a `Notice`, never an exception.
"""

from __future__ import annotations

from typing import Final

PASSED: Final = 0
VIOLATED: Final = 1
USAGE: Final = 2
INCOMPLETE: Final = 3


class AgentArchitectureError(Exception):
    """A mistake that the user can mend; the message is one sentence and says how."""

    exit_code = USAGE


class UsageError(AgentArchitectureError):
    """A path, a flag or a rule that does not exist."""


class ConfigurationError(AgentArchitectureError):
    """A configuration that cannot be obeyed."""


class PackError(AgentArchitectureError):
    """A malformed framework pack: the message names the file and the row."""
