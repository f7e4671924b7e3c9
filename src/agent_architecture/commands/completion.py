"""`completion SHELL`: a script that completes commands, flags, their values and rules, made from the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Final

from agent_architecture.errors import PASSED
from agent_architecture.flags import PROGRAM, Parser, command_parser
from agent_architecture.records import NamedTuple
from agent_architecture.render.terminal import write

SHELLS: Final = ("bash", "zsh", "fish")
GLOBAL: Final = ("--help", "--version")
RULE_NAMES: Final = frozenset({"RULE", "RULES"})
FUNCTION: Final = "_" + PROGRAM.replace("-", "_")
EXAMPLES: Final = f"""\
examples:
  eval "$({PROGRAM} completion bash)"         in ~/.bashrc
  eval "$({PROGRAM} completion zsh)"          in ~/.zshrc, after compinit
  {PROGRAM} completion fish > ~/.config/fish/completions/{PROGRAM}.fish
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `completion`."""
    made = command_parser(
        "completion",
        "Print a script that completes commands, flags, their values and the names of rules.",
        EXAMPLES,
    )
    made.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    return made


def run(flags: argparse.Namespace, parsers: Mapping[str, argparse.ArgumentParser]) -> int:
    """Print the script for all commands."""
    commands = {name: tuple(_words(made)) for name, made in parsers.items()}
    write(_fish(commands) if flags.shell == "fish" else _bash(commands, in_zsh=flags.shell == "zsh"))
    return PASSED


class _Word(NamedTuple):
    """A flag (with its names) or an argument (without): what may follow. `values` None: a file, or anything."""

    names: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...] | None
    doc: str


def _words(made: argparse.ArgumentParser) -> Iterator[_Word]:
    actions = made.known if isinstance(made, Parser) else ()
    for action in actions:
        values = tuple(map(str, action.choices)) if action.choices is not None else None
        if action.metavar in RULE_NAMES:
            from agent_architecture.contract import scalars

            values = tuple(scalars())
        doc = "" if action.help is None else action.help.replace("%%", "%")
        yield _Word(tuple(action.option_strings), action.nargs != 0, values, doc)


# -------------------------------------------------------------------------------------------------------- bash and zsh
def _bash(commands: Mapping[str, tuple[_Word, ...]], *, in_zsh: bool) -> str:
    """One function; zsh runs it through its own emulation of bash's completion. Without words, files are completed."""
    lines = [
        *(["autoload -U +X bashcompinit && bashcompinit"] if in_zsh else []),
        f"{FUNCTION}() {{",
        '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{" ".join([*commands, *GLOBAL])}"',
        "    else",
        '        case "${COMP_WORDS[1]} $previous" in',
        *(f"            {line}" for name, words in commands.items() for line in _after_flags(name, words)),
        "            *)",
        '                case "${COMP_WORDS[1]} $current" in',
        *(f"                    {line}" for name, words in commands.items() for line in _anywhere(name, words)),
        "                esac",
        "                ;;",
        "        esac",
        "    fi",
        '    COMPREPLY=( $(compgen -W "$words" -- "$current") )',
        "}",
        f"complete -o default -F {FUNCTION} {PROGRAM}",
    ]
    return "\n".join(lines) + "\n"


def _after_flags(command: str, words: tuple[_Word, ...]) -> Iterator[str]:
    """What may follow each flag that takes a value."""
    for word in words:
        if word.names and word.takes_value:
            pattern = " | ".join(f'"{command} {name}"' for name in word.names)
            yield f'{pattern}) words="{" ".join(word.values or ())}" ;;'


def _anywhere(command: str, words: tuple[_Word, ...]) -> Iterator[str]:
    """The flags of a command, and what its arguments may be."""
    flags = " ".join(name for word in words for name in word.names)
    yield f'"{command} -"*) words="{flags}" ;;'
    values = [value for word in words if not word.names for value in word.values or ()]
    if values:
        yield f'"{command} "*) words="{" ".join(values)}" ;;'


# ---------------------------------------------------------------------------------------------------------------- fish
def _fish(commands: Mapping[str, tuple[_Word, ...]]) -> str:
    names = " ".join(commands)
    first = f"complete -c {PROGRAM} -n 'not __fish_seen_subcommand_from {names}'"
    lines = [f"{first} -f -a '{names}'", f"{first} -s h -l help", f"{first} -s V -l version"]
    for command, words in commands.items():
        start = f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from {command}'"
        lines += [f"{start} {_fish_word(word)}" for word in words if word.names or word.values]
    return "\n".join(lines) + "\n"


def _fish_word(word: _Word) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in word.names]
    if word.names and word.takes_value:
        parts.append("-r")
    if word.values:
        parts.append(f"-f -a '{' '.join(word.values)}'")
    if word.names and word.doc:
        parts.append("-d '" + word.doc.replace("\\", "\\\\").replace("'", "\\'") + "'")
    return " ".join(parts)
