"""The version of this package, which the build reads here: asking the installed metadata takes longer than to judge."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
