"""The numbers that flags take: from what a user typed, or a sentence on what is wrong with it. Knows no flag."""

from __future__ import annotations

import argparse
import os
from typing import Final

from agent_architecture.render.terminal import NARROWEST

MAX_WIDTH: Final = 10_000
MAX_DIGITS: Final = 15
"""Longer numbers are a slip; Python refuses to read much longer ones."""
MAX_JOBS: Final = 64


def positive(text: str) -> int:
    """A number of bytes."""
    if text.isascii() and text.isdigit() and 0 < len(text.lstrip("0")) <= MAX_DIGITS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes above 0")


def risk(text: str) -> float:
    """A risk."""
    digits = text.replace(".", "", 1)
    if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS and float(text) <= 1:
        return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a risk from 0 to 1")


def jobs_of(text: str) -> int:
    """A number of processes; 0 is one for each processor."""
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and int(text) <= MAX_JOBS:
        return int(text) or os.cpu_count() or 1
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 0 to {MAX_JOBS}")


def width(text: str) -> int:
    """A width of the text."""
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and NARROWEST <= int(text) <= MAX_WIDTH:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a width from {NARROWEST} to {MAX_WIDTH}")
