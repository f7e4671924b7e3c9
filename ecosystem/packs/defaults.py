"""Defaults against the code that sets them: the file, the symbol in it, and its value where that is a literal.

A default holds between two switches. It is read in the newest version of that span, where its source has to stand, and
in the oldest, where its value must not be another.
"""

from __future__ import annotations

import math
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Scalar
from agent_architecture.semantics.packs.rows import PackRows
from ecosystem.packs.answers import FOUND, Answer, State, best, missing, unreadable
from ecosystem.packs.claims import DefaultClaim
from ecosystem.packs.installed import roots_of
from ecosystem.packs.npm_packages import root_of, split
from ecosystem.packs.problems import NoSuchVersionError, PackageError
from ecosystem.packs.python_source import PythonSource
from ecosystem.packs.script_source import ScriptSource

if TYPE_CHECKING:
    from ecosystem.packs.check import Checker, Result
    from ecosystem.packs.workspace import Workspace

_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"})


def check_defaults(
    rows: PackRows, claims: Iterable[DefaultClaim], newest: Workspace, checker: Checker
) -> Iterator[Result]:
    """Every default of a pack, and the paths of rows whose defaults changed in the versions around each switch."""
    from ecosystem.packs.check import Result

    for claim in claims:
        reason = checker.unread_default(claim.source)
        package = claim.package
        if reason or package is None or package[0] == "runtime":
            answer = _of_runtime(claim, checker) if not reason and package == ("runtime", "python") else None
            why = reason or "it is no package that could be unpacked"
            yield Result(claim.row, _what(claim), _named(package, ""), answer or unreadable(why))
            continue
        packages = [package, *((p.ecosystem, p.name) for p in rows.pack.packages if p.ecosystem == package[0])]
        if claim.before is None:
            verified = next((p.verified for p in rows.pack.packages if (p.ecosystem, p.name) == package), "")
            answer = _in(newest, packages, claim, checker)
            if answer.state is State.DRIFT:
                answer = _once(claim, checker) or answer
            yield Result(claim.row, _what(claim), _named(package, verified), answer)
        else:
            yield Result(claim.row, _what(claim), _named(package, f"<{claim.before}"), _below(claim, checker))
            yield from _around(claim, checker)
        if claim.since is not None:
            answer = _since(claim, checker)
            if answer is not None:
                yield Result(claim.row, _what(claim), _named(package, claim.since), answer)


def _what(claim: DefaultClaim) -> str:
    return f"default of {claim.name} ({claim.source})"


def _named(package: tuple[str, str] | None, version: str) -> str:
    return f"{package[1] if package else '?'} {version}".rstrip()


# ------------------------------------------------------------------------------------------------------------- versions
def _once(claim: DefaultClaim, checker: Checker) -> Answer | None:
    """In the older version that the data file names for its source."""
    answers: list[Answer] = []
    for entry in checker.older_source(claim.source):
        space = checker.older(entry.package, entry.version)
        answers.append(_problem(space) or _in(space, [entry.package], claim, checker))
    return best(answers) if answers else None


def _below(claim: DefaultClaim, checker: Checker) -> Answer:
    """In the newest version before the switch."""
    if claim.package is None:
        return unreadable("no package")
    space = checker.older(claim.package, f"<{claim.before}")
    return _problem(space) or _in(space, [claim.package], claim, checker)


def _since(claim: DefaultClaim, checker: Checker) -> Answer | None:
    """In the version of the switch: another value there is wrong; that the source stood elsewhere is not.

    A registry that was thinned out has no such version: the newest and the newest below the switch speak for it.
    """
    if claim.package is None or claim.since is None:
        return None
    space = checker.older(claim.package, claim.since)
    if any(isinstance(error, NoSuchVersionError) for error in space.problems.values()):
        return None
    problem = _problem(space)
    if problem is not None:
        return problem
    answer = _in(space, [claim.package], claim, checker)
    return answer if answer.state is State.DRIFT and answer.why.startswith("its value") else None


def _around(claim: DefaultClaim, checker: Checker) -> Iterator[Result]:
    """The row itself has to be there before and after the switch."""
    from ecosystem.packs.check import Result

    if claim.package is None or not claim.paths:
        return
    for version in (f"<{claim.before}", claim.before or ""):
        space = checker.older(claim.package, version)
        if not space.problems:
            answer = checker.is_there(claim.paths, space)
            if answer.state is not State.FOUND:
                yield Result(claim.row, claim.paths[0], _named(claim.package, version), answer)


def _problem(space: Workspace) -> Answer | None:
    for error in space.problems.values():
        return missing(str(error)) if isinstance(error, NoSuchVersionError) else unreadable(str(error))
    return None


# --------------------------------------------------------------------------------------------------------------- source
def _in(space: Workspace, packages: Iterable[tuple[str, str]], claim: DefaultClaim, checker: Checker) -> Answer:
    name, _, symbol = claim.source.partition(":")
    folders = [folder for package in packages for folder in space.folders(package)]
    if not folders:
        return unreadable("its package cannot be had")
    is_script = Path(name).suffix in _SCRIPTS
    for folder in folders:
        for root in [root_of(folder)] if is_script else roots_of(folder):
            if (root / name).is_file():
                return _at(root / name, symbol, claim, checker)
    further = space.folder_for(name)  # what a package needs may set its defaults: `pg-pool/index.js` for pg
    for root in [] if further is None else [root_of(further)] if is_script else roots_of(further):
        inner = root / (split(name)[1] if is_script else name)
        if inner.is_file():
            return _at(inner, symbol, claim, checker)
    return missing(f"the package has no file {name}")


def _of_runtime(claim: DefaultClaim, checker: Checker) -> Answer:
    """A default of Python's own library, read in the Python that runs this."""
    name, _, symbol = claim.source.partition(":")
    file = Path(sysconfig.get_paths()["stdlib"]) / name
    return _at(file, symbol, claim, checker) if file.is_file() else unreadable("this Python has no such file")


def _at(file: Path, symbol: str, claim: DefaultClaim, checker: Checker) -> Answer:
    try:
        source = ScriptSource(file) if file.suffix in _SCRIPTS else PythonSource(file)
    except PackageError as error:
        return unreadable(str(error))
    if not source.has(symbol):
        return missing(f"{file.name} has no {symbol}")
    if claim.like is not None:
        return FOUND
    found = [checker.meaning(claim.source, value) for value in source.literals(symbol, claim.names)]
    return _compared(found, claim)


def _compared(found: list[Scalar], claim: DefaultClaim) -> Answer:
    """What is written against what the pack says.

    A library that writes nothing may set the value elsewhere; a number is no other value than a word of the pack.
    """
    wanted = (claim.value, claim.words.get(str(claim.value).lower(), claim.value))
    written = [meaning for value in found for meaning in (value, claim.words.get(str(value).lower(), value))]
    if any(_same(value, one) for value in written for one in wanted):
        return FOUND
    said = [value for value in found if value is not None and isinstance(value, str) >= isinstance(claim.value, str)]
    return missing(f"its value is {said[0]!r}, not {claim.value!r}") if said else FOUND


def _same(one: Scalar, other: Scalar) -> bool:
    """Whether two values are one; no limit is written as None or as infinity."""
    if {one, other} <= {None, math.inf}:
        return True
    return one == other and isinstance(one, bool) == isinstance(other, bool)
