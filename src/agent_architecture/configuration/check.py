"""What is wrong in a configuration: unknown keys with the nearest name, wrong types, values out of range.

It holds what was read against the table of keys, and knows no key by name except where two depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from agent_architecture.configuration.keys import Key, Kind, below, section_path
from agent_architecture.configuration.read import ConfigFile, Items, Scalar, Section, Value
from agent_architecture.errors import ConfigurationError, UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.registry import resolve


class Problem(NamedTuple):
    """One thing that cannot be obeyed, and where it stands."""

    line: int
    column: int
    message: str


def refuse(file: ConfigFile) -> None:
    """Raise for the first problem of a file.

    Raises:
        ConfigurationError: with file, line, and how many others there are.
    """
    problems = list(check(file.root))
    if problems:
        first, more = problems[0], len(problems) - 1
        others = f" ({more} more: `config validate` lists them)" if more else ""
        raise ConfigurationError(f"{file.shown}:{first.line}: {first.message}{others}")


def check(root: Section) -> list[Problem]:
    """Everything that is wrong, in the order of the lines."""
    return sorted(set(_section(root, "", "")))


def _section(section: Section, path: str, shown: str) -> Iterator[Problem]:
    """The problems of a section; `shown` is how its place is written in sentences."""
    known = below(path)
    written: dict[str, str] = {}
    for member in section.members:
        place = f"{shown}.{member.name}" if shown else member.name
        key = known.get(member.name)
        if key is None:
            yield Problem(member.line, member.column, f"{place}: {_unknown(member.name, known, shown)}")
        elif key.path in written:
            other = written[key.path]
            yield Problem(member.line, member.column, f"{place}: is the same as {other}; write one of them")
        else:
            written[key.path] = member.name
            yield from _value(member.value, key, place)
    for name, key in known.items():
        if key.required and key.path not in written and name == key.name:
            yield Problem(section.line, section.column, f"{shown}: {name} is missing")
    yield from _together(section, path, shown)


def _unknown(name: str, known: dict[str, Key], shown: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.5)
    names = near or sorted(key.name for key in {key.path: key for key in known.values()}.values())
    told = f"did you mean {names[0]}?" if near else f"known are {', '.join(names)}"
    return f"there is no such {'key' if shown else 'section'}; {told}"


def _value(value: Value, key: Key, shown: str) -> Iterator[Problem]:
    if isinstance(value, Scalar) and value.value is None and not key.required:
        return  # a key that is written without a value keeps its default
    if key.kind is Kind.SECTION and isinstance(value, Section):
        yield from _section(value, section_path(key), shown)
    elif key.kind is Kind.LIST and isinstance(value, Items):
        for number, item in enumerate(value.items):
            place = f"{shown}[{number}]"
            if isinstance(item, Section):
                yield from _section(item, section_path(key), place)
            else:
                yield Problem(item.line, item.column, f"{place}: is {_found(item)}, not a section of keys")
    elif key.kind in {Kind.GLOBS, Kind.WORDS} and isinstance(value, Items):
        for number, item in enumerate(value.items):
            yield from _scalar(item, key, f"{shown}[{number}]")
    else:
        yield from _scalar(value, key, shown)


def _scalar(value: Value, key: Key, shown: str) -> Iterator[Problem]:
    problem = _objection(value.value, key) if isinstance(value, Scalar) else f"is {_found(value)}, not {key.kind.value}"
    if problem:
        yield Problem(value.line, value.column, f"{shown}: {problem}")


def _objection(value: object, key: Key) -> str | None:
    """What is wrong with one plain value, None when nothing is."""
    is_truth = isinstance(value, bool)
    expected = f"is {_plain(value)}, not {key.kind.value}"
    match key.kind:
        case Kind.TRUTH:
            return None if is_truth else expected
        case Kind.NUMBER | Kind.WHOLE:
            fits = isinstance(value, int if key.kind is Kind.WHOLE else (int, float)) and not is_truth
            return _range(value, key) if fits and isinstance(value, (int, float)) else expected
        case Kind.WORD | Kind.WORDS:
            return _word(value, key)
        case Kind.SECTION | Kind.LIST:
            return expected
        case _:
            return _text(value, key) if isinstance(value, str) else expected


def _range(value: float, key: Key) -> str | None:
    if not math.isfinite(value):
        return f"is {value}, not a finite number"
    if key.least is not None and value < key.least:
        return f"is {value}, below {key.least:g}"
    return None


def _word(value: object, key: Key) -> str | None:
    if isinstance(value, str) and value in key.words:
        return None
    from difflib import get_close_matches

    near = get_close_matches(value, key.words, n=1) if isinstance(value, str) else []
    nearest = f"; did you mean {near[0]}?" if near else ""
    allowed = key.words[0] if len(key.words) == 1 else f"one of {' '.join(key.words)}"
    return f"is {_plain(value)}, not {allowed}{nearest}"


def _text(value: str, key: Key) -> str | None:
    if key.kind is Kind.DATE:
        return _date(value)
    if key.kind is Kind.RULE:
        return _rule(value)
    if key.kind in {Kind.GLOB, Kind.GLOBS}:
        return _glob(value)
    return "is empty" if key.required and not value.strip() else None


def _date(value: str) -> str | None:
    from datetime import date

    try:
        date.fromisoformat(value)
    except ValueError:
        return f"is {_plain(value)}, not {Kind.DATE.value}"
    return None


def _rule(value: str) -> str | None:
    try:
        resolve(value)
    except UsageError as error:
        return str(error)
    return None


def _glob(value: str) -> str | None:
    from agent_architecture.sources.ignore import parse

    if "\\" in value:
        return f"is {_plain(value)}: write / between folders, on Windows, too"
    _, notices = parse([value], "")
    return f"the glob {notices[0].message}" if notices else None


def _together(section: Section, path: str, shown: str) -> Iterator[Problem]:
    """What keys demand of each other."""
    if path == "policy.invariants[]":
        against = section.get("baseline")
        compares = isinstance(against, Scalar) and against.value is True
        if compares == (section.get("value") is not None):
            wrong = "value and baseline exclude each other" if compares else "value is missing (or baseline: true)"
            yield Problem(section.line, section.column, f"{shown}: {wrong}")
    elif path == "policy.baseline":
        mode = section.get("mode")
        needed = {"git": "ref", "file": "path"}.get(str(mode.value)) if isinstance(mode, Scalar) else None
        if needed and section.get(needed) is None:
            yield Problem(section.line, section.column, f"{shown}: {needed} is missing")
    elif path == "" and isinstance(metrics := section.get("metrics"), Items):
        yield from _one_metric(section, metrics)
    elif path.endswith("_weights") and section.members:
        given = {key.path: member.value for member in section.members if (key := below(path).get(member.name))}
        values = [value.value for value in given.values() if isinstance(value, Scalar)]
        unset = len({key.path for key in below(path).values()}) - len(given)
        if not unset and not any(values):
            yield Problem(section.line, section.column, f"{shown}: every weight is 0; at least one must be above")


def _one_metric(root: Section, metrics: Items) -> Iterator[Problem]:
    for second in metrics.items[1:2]:
        yield Problem(second.line, second.column, "metrics[1]: there is one metric, and it has an entry already")
    first = metrics.items[0] if metrics.items else None
    config = first.get("config") if isinstance(first, Section) else None
    data = root.get("data")
    other = config.get("languages") if isinstance(config, Section) else None
    if other is not None and isinstance(data, Section) and data.get("language") is not None:
        told = "metrics[0].config.languages: is the same as data.language; write one of them"
        yield Problem(other.line, other.column, told)


def _found(value: Value) -> str:
    if isinstance(value, Section):
        return "a section of keys"
    return "a list" if isinstance(value, Items) else _plain(value.value)


def _plain(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - a sentence stays readable
