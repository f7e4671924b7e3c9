"""What can go wrong with a package before anything is read in it."""

from __future__ import annotations


class PackageError(Exception):
    """A package that cannot be had, in one sentence. It says nothing of the pack: the row stays unchecked."""


class NoSuchVersionError(PackageError):
    """The registry answers, and has no such version: the pack is wrong."""


class ArchiveError(PackageError):
    """An archive that is damaged or hostile."""
