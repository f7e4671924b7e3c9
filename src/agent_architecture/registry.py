"""The detectors that exist, found by their files, and what they say of a system.

A detector is registered by being `detectors/<group>/<key>.py` with a page `<key>.md` beside it: there is no list. This
module must not know what any detector looks for, nor how verdicts become scores.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Final

from agent_architecture.contract import SIGNAL_OWNERS, Scalar, Signal, contract, scalars, short
from agent_architecture.degrees import Degrees, degrees, recorded, weighed
from agent_architecture.detector import Declared, Detector, Verdict
from agent_architecture.errors import UsageError
from agent_architecture.model.system import AgentSystem
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

PACKAGE: Final = "agent_architecture.detectors"


class MalformedDetectorError(Exception):
    """A detector's files break the form; the message names the file. A mistake of its author, never of a user."""


class Judged(NamedTuple):
    """What one detector said: its verdicts and signals (None: it owns none), or the error that stopped it."""

    detector: Detector
    verdicts: tuple[Verdict, ...]
    signals: Mapping[str, float] | None = None
    error: str | None = None


# ------------------------------------------------------------------------------------------------------------- finding
def load(package: str = PACKAGE) -> tuple[Detector, ...]:
    """Every detector of the package, in contract order.

    Modules that stand beside the group folders are shared knowledge, not detectors.

    Raises:
        MalformedDetectorError: a file in a group folder is not a detector of the contract in its right form.
    """
    found = {}
    for group in _entries(importlib.import_module(package), packages=True):
        folder = importlib.import_module(f"{package}.{group}")
        for key in _entries(folder, packages=False):
            found[_checked(key, group, folder).name] = group
    return tuple(_detector(scalar, package) for scalar in contract().scalars if scalar.name in found)


def load_one(name: str, package: str = PACKAGE) -> Detector:
    """The detector with this key, rule id, or unique beginning of either; nothing else is imported.

    Raises:
        UsageError: no detector is called so (the message gives the nearest name), or it is not written yet.
        MalformedDetectorError: its files break the form.
    """
    scalar = resolve(name)
    if importlib.util.find_spec(f"{package}.{scalar.group}.{scalar.name}") is None:
        raise UsageError(f"the detector {scalar.name} is not written yet")
    return _detector(scalar, package)


def page_of(scalar: Scalar, package: str = PACKAGE) -> Path:
    """Where the page of a detector stands, if it is a file."""
    folder = importlib.import_module(f"{package}.{scalar.group}")
    return Path(folder.__path__[0], f"{scalar.name}.md")


def resolve(name: str) -> Scalar:
    """The scalar of the contract with this key, rule id, or unique beginning of either.

    The metric's name, `arxo/` and `arxo/agent-` may be left out; hyphens and underscores are the same.

    Raises:
        UsageError: none or several are meant; the message names the nearest or the candidates.
    """
    meant = _meant(name)
    if len(meant) == 1:
        return next(iter(meant.values()))
    if meant:
        raise UsageError(f"{name!r} may mean {', '.join(sorted(meant))}")
    names = _names()
    raise UsageError(f"there is no rule {name!r}; the nearest is {names[_nearest(_written(name), names)].name}")


def known(name: str) -> Scalar | None:
    """The scalar that `resolve` finds; None where it complains, which takes longer."""
    meant = _meant(name)
    return next(iter(meant.values())) if len(meant) == 1 else None


def _meant(name: str) -> dict[str, Scalar]:
    """The scalars that a name may stand for, by key."""
    wanted, names = _written(name), _names()
    if wanted in names:
        return {names[wanted].name: names[wanted]}
    return {scalar.name: scalar for alias, scalar in names.items() if wanted and alias.startswith(wanted)}


def _written(name: str) -> str:
    return short(name).replace("_", "-")


@cache
def _names() -> dict[str, Scalar]:
    return {alias.replace("_", "-"): scalar for scalar in contract().scalars for alias in _aliases(scalar)}


def resolve_all(name: str) -> tuple[Scalar, ...]:
    """The scalars of a group or of an axis, or the one that `resolve` finds.

    Raises:
        UsageError: nothing, or more than one rule, is called so.
    """
    word = name.strip().lower().replace("-", "_")
    found = tuple(scalar for scalar in contract().scalars if word in {scalar.group, scalar.axis})
    return found or (resolve(name.strip()),)


def _aliases(scalar: Scalar) -> tuple[str, ...]:
    local = scalar.rule_id.removeprefix("arxo/")
    return (scalar.name, scalar.rule_id, local, local.removeprefix("agent-"))


def _nearest(wanted: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    return get_close_matches(wanted, sorted(names), n=1, cutoff=0.0)[0]


def _entries(package: ModuleType, *, packages: bool) -> list[str]:
    """The names of the modules, or of the packages, in a package (pkgutil finds them by way of inspect, and slowly)."""
    files = [path for folder in package.__path__ for path in Path(folder).iterdir()]
    if packages:
        return sorted(path.name for path in files if (path / "__init__.py").is_file())
    return sorted(path.stem for path in files if path.suffix == ".py" and path.stem != "__init__")


def _checked(key: str, group: str, folder: ModuleType) -> Scalar:
    file = Path(folder.__path__[0], f"{key}.py")
    scalar = scalars().get(key)
    if scalar is None:
        raise MalformedDetectorError(
            f"{file}: the contract has no key {key}; the nearest is {_nearest(key, scalars())}"
        )
    if scalar.group != group:
        raise MalformedDetectorError(f"{file}: the contract puts {key} in the group {scalar.group}, not {group}")
    return scalar


def _detector(scalar: Scalar, package: str) -> Detector:
    module = importlib.import_module(f"{package}.{scalar.group}.{scalar.name}")
    file = Path(str(module.__file__))
    declared = getattr(module, scalar.name, None)
    if not isinstance(declared, Declared):
        raise MalformedDetectorError(f"{file}: it must define {scalar.name} with @detector")
    signals = getattr(module, "signals", None)
    if callable(signals) != (scalar.name in SIGNAL_OWNERS):
        owned = ", ".join(SIGNAL_OWNERS.get(scalar.name, ())) or "no signal"
        raise MalformedDetectorError(
            f"{file}: {scalar.name} owns {owned}, so it must {'not ' if callable(signals) else ''}define signals()"
        )
    page = file.with_suffix(".md")
    if not page.is_file():
        raise MalformedDetectorError(f"{file}: its page {page.name} is missing")
    judge, title, impact, effort, fix, references, parts = declared
    return Detector(
        scalar.name,
        scalar.group,
        title,
        impact,
        effort,
        fix,
        references,
        judge,
        signals,
        partial(page.read_text, encoding="utf-8"),
        parts,
    )


# ------------------------------------------------------------------------------------------------------------- judging
def judge(detectors: Sequence[Detector], system: AgentSystem, *, with_record: bool = True) -> tuple[Judged, ...]:
    """What each detector says of the system; without its record on blind rounds, at the confidence of the evidence."""
    known = degrees(system)
    return tuple(judge_one(detector, system, known, with_record=with_record) for detector in detectors)


def judge_one(
    detector: Detector, system: AgentSystem, known: Degrees | None = None, *, with_record: bool = True
) -> Judged:
    """What one detector says of the system; a detector that raises stops itself alone."""
    try:
        said = weighed(detector.judge(system), degrees(system) if known is None else known)
        verdicts = in_order(recorded(detector.key, said) if with_record else said)
        signals = detector.signals(system, verdicts) if detector.signals else None
        if signals is not None:
            _check_signals(detector.key, signals)
    except Exception as error:  # noqa: BLE001 - the other detectors' answers must survive this one's mistake
        return Judged(detector, (), None, f"{type(error).__name__}: {error}")
    return Judged(detector, verdicts, signals)


def in_order(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts by place and content, so that nothing later depends on the order in which they were found."""
    return tuple(sorted(verdicts, key=_position))


def _position(verdict: Verdict) -> tuple[Span, str, str, str, str, float, float, str, tuple[Span, ...]]:
    subject = verdict.subject
    risk = -1.0 if verdict.risk is None else verdict.risk
    return (
        verdict.span,
        subject.symbol,
        subject.framework,
        verdict.outcome,
        verdict.reason,
        -risk,
        -verdict.weight,
        verdict.confidence,
        verdict.related,
    )


def _check_signals(key: str, signals: Mapping[str, float]) -> None:
    owned = {signal.name: signal for signal in contract().signals if signal.owner == key}
    if signals.keys() != owned.keys():
        raise ValueError(f"signals() gives {sorted(signals)} where {key} owns {sorted(owned)}")
    for name, value in signals.items():
        if not _fits(owned[name], value):
            raise ValueError(f"{name} is a {owned[name].type}, which {value} is not")


def _fits(signal: Signal, value: float) -> bool:
    if not math.isfinite(value) or value < 0:
        return False
    return value <= 1 if signal.type == "ratio" else value == int(value)
