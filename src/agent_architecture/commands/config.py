"""`config validate`, `config show` and `config schema`: what a configuration file may say, and what it says."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, USAGE, UsageError
from agent_architecture.flags import PROGRAM, command_parser
from agent_architecture.records import NamedTuple
from agent_architecture.render.counted import counted
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import complain, write

if TYPE_CHECKING:
    from agent_architecture.configuration.read import ConfigFile, Section, Value

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} config validate
  {PROGRAM} config validate services/agent/agent-architecture.yaml
  {PROGRAM} config show
  {PROGRAM} config schema > agent-architecture.schema.json
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `config`."""
    made = command_parser(
        "config",
        "validate: list everything that is wrong. show: every key, its value, and where it is written.\n"
        "schema: the JSON Schema of the file, for editors.",
        EXAMPLES,
    )
    made.add_argument("action", choices=("validate", "show", "schema"), help="what to do")
    made.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="(default: the one that holds in the current folder)"
    )
    return made


def run(flags: argparse.Namespace) -> int:
    """Do it; 2 when the file cannot be obeyed."""
    if flags.action == "schema":
        from agent_architecture.configuration.schema import schema
        from agent_architecture.render.json import json_text

        write(json_text(schema()), encoding="utf-8")
        return PASSED
    file = _file(flags.file)
    return _validate(file) if flags.action == "validate" else _show(file)


def _file(path: Path | None) -> ConfigFile:
    from agent_architecture.configuration.discover import NAMES, discover, named

    file = discover(Path.cwd()) if path is None else named(path)
    if file is None:
        raise UsageError(
            f"there is no configuration here ({NAMES[0]}, up to the repository's top); `{PROGRAM} init` writes one"
        )
    return file


def _validate(file: ConfigFile) -> int:
    from agent_architecture.config import configure
    from agent_architecture.configuration.check import check
    from agent_architecture.configuration.source import source_of_file
    from agent_architecture.policy.invariants import checked

    problems = check(file.root)
    for problem in problems:
        complain(visible(f"{file.shown}:{problem.line}:{problem.column}: {problem.message}"))
    if problems:
        complain(counted(len(problems), "problem"))
        return USAGE
    checked(configure(source_of_file(file)).policy.invariants)
    write(visible(f"{file.shown} is valid") + "\n")
    return PASSED


# ----------------------------------------------------------------------------------------------------------------- show
def _show(file: ConfigFile) -> int:
    from agent_architecture.configuration.check import refuse

    refuse(file)
    write("".join(f"{visible(line)}\n" for line in _lines(file)))
    return PASSED


def _lines(file: ConfigFile) -> Iterator[str]:
    """Each key that is written, with its line, then the others as they are by default."""
    from agent_architecture.configuration.keys import KEYS

    written = list(_written(file.root, "", ""))
    yield from (f"{one.place}: {one.text}  # {file.shown}:{one.line}" for one in written)
    said = {one.path for one in written}
    for key in KEYS:
        alone = key.path.replace("metrics[]", "metrics[0]")  # the one list that has a single entry
        if key.default is not None and "[]" not in alone and key.path not in said:
            yield f"{alone}: {_text(key.default)}  # default"


class _Written(NamedTuple):
    """One value of a file: the path of its key, its own place, and what is written there."""

    path: str
    place: str
    text: str
    line: int


def _written(section: Section, path: str, place: str) -> Iterator[_Written]:
    from agent_architecture.configuration.keys import below, section_path
    from agent_architecture.configuration.read import Items, Section

    for member in section.members:
        key = below(path)[member.name]
        here = f"{place}.{key.name}" if place else key.name
        values = member.value.items if isinstance(member.value, Items) else (member.value,)
        sections = [value for value in values if isinstance(value, Section)]
        for number, value in enumerate(sections):
            inner = f"{here}[{number}]" if isinstance(member.value, Items) else here
            yield from _written(value, section_path(key), inner)
        if not sections:
            yield _Written(key.path, here, _value(member.value), member.line)


def _value(value: Value) -> str:
    from agent_architecture.configuration.read import Items, Scalar

    if isinstance(value, Items):
        return f"[{', '.join(map(_value, value.items))}]"
    return _text(value.value) if isinstance(value, Scalar) else "{}"


def _text(value: object) -> str:
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)
