"""The numbers that flags take: from what a user typed, or a sentence on what is wrong with it. Knows no flag."""

from __future__ import annotations

import argparse
import os
from typing import Final

from agent_architecture.render.terminal import NARROWEST
from agent_architecture.whole_numbers import whole_number

MAX_WIDTH: Final = 10_000
MAX_JOBS: Final = 64


def positive(text: str) -> int:
    """A number of bytes."""
    number = whole_number(text.lstrip("0"))
    if number is not None:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes above 0")


def risk(text: str) -> float:
    """A risk."""
    digits = text.replace(".", "", 1)
    if whole_number(digits) is not None and float(text) <= 1:
        return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a risk from 0 to 1")


def jobs_of(text: str) -> int:
    """A number of processes; 0 is one for each processor."""
    number = whole_number(text)
    if number is not None and number <= MAX_JOBS:
        return number or os.cpu_count() or 1
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 0 to {MAX_JOBS}")


def width(text: str) -> int:
    """A width of the text."""
    number = whole_number(text)
    if number is not None and NARROWEST <= number <= MAX_WIDTH:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a width from {NARROWEST} to {MAX_WIDTH}")
