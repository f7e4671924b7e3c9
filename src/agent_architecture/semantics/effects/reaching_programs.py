"""Programs that reach other machines: `git pull`, `curl`, `ssh`; and programs that do what a script of the model's
choice says, of which nobody knows where it goes.

The code fixes which program is started, or this says nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Going
from agent_architecture.names import flow
from agent_architecture.semantics.effects.commands import commands
from agent_architecture.semantics.effects.looking_programs import first_word
from agent_architecture.semantics.matching.context import dotted

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.commands import Command, Word
    from agent_architecture.syntax import ir

FETCHING: Final = {
    "git": frozenset({"clone", "fetch", "ls-remote", "pull"}),
    "docker": frozenset({"pull", "search"}),
    "npm": frozenset({"ci", "i", "install", "update", "view"}),
    "pip": frozenset({"download", "index", "install"}),
    "pip3": frozenset({"download", "index", "install"}),
    "uv": frozenset({"add", "sync"}),
    "gh": frozenset({"search", "status"}),
}
"""The commands of programs that ask another machine for something."""
SENDING: Final = {
    "git": frozenset({"push", "send-email"}),
    "docker": frozenset({"push"}),
    "npm": frozenset({"publish"}),
    "twine": frozenset({"upload"}),
}
"""The commands of programs that send something to another machine."""
ADDRESSED: Final = frozenset({"curl", "wget"})
"""Programs that ask the address which they are told, and post where an option says so."""
POSTING: Final = ("-d", "--data", "-F", "--form", "-T", "--upload-file", "--post-data", "--post-file", "--json", "-XP")
METHOD: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
REMOTE: Final = frozenset({"ftp", "mail", "rsync", "scp", "sendmail", "sftp", "ssh", "telnet"})
"""Programs that are there to work on another machine."""
INTERPRETERS: Final = frozenset({
    "bash", "bun", "bunx", "deno", "java", "lua", "node", "npx", "perl", "php", "pwsh", "python", "python3", "Rscript",
    "ruby", "sh", "tsx", "uvx", "zsh",
})  # fmt: skip
"""Programs that run the script which they are told, and do what it says."""
OWN_INTERPRETER: Final = ("sys.executable", "process.execPath")
RANK: Final = (Going.NOWHERE, Going.ASKS, Going.SENDS, Going.ANYWHERE)


def going(program: Program, call: ir.Call, *, is_told: bool) -> Going:
    """Where the programs go that a call starts: every one that it can be, or any part of a line; `is_told` says whether
    a model shapes what they are told.
    """
    goes = _of_all(program, call)
    if is_told or goes not in {Going.ANYWHERE, Going.OPEN}:
        return goes
    return Going.ASKS if goes is Going.ANYWHERE else Going.NOWHERE


def _of_all(program: Program, call: ir.Call) -> Going:
    found = [command for command in commands(program, call) if command.words]
    each = [_going(program, command) for command in found]
    lines = [kind for command, kind in zip(found, each, strict=True) if command.is_line]
    if lines and any(kind is not Going.NOWHERE for kind in lines):
        return _farthest(lines)
    return Going.NOWHERE if Going.NOWHERE in each or not each else _farthest(each)


def _farthest(kinds: list[Going]) -> Going:
    return Going.OPEN if Going.OPEN in kinds else max(kinds, key=RANK.index)


def _going(program: Program, command: Command) -> Going:
    first, rest = command.words[0], command.words[1:]
    name = first.text.rpartition("/")[2].removesuffix(".exe") if first.is_fixed else ""
    if not name:
        return _of_unknown(program, first, rest)
    if name in REMOTE:
        return Going.SENDS
    if name in ADDRESSED:
        return _of_address(rest)
    if name in INTERPRETERS:
        return Going.OPEN if _is_chosen(rest) else Going.NOWHERE
    asked = first_word(word.text if word.is_fixed else None for word in rest)
    if asked in SENDING.get(name, ()):
        return Going.SENDS
    if asked in FETCHING.get(name, ()):
        is_told = asked in {"clone", "ls-remote"} and not all(word.is_fixed for word in rest)
        return Going.ANYWHERE if is_told else Going.ASKS
    return Going.NOWHERE


def _of_unknown(program: Program, first: Word, rest: tuple[Word, ...]) -> Going:
    """Where a program goes that no text names: the interpreter that runs the project, or what a caller chooses."""
    if dotted(first.expr) in OWN_INTERPRETER:
        return Going.OPEN if _is_chosen(rest) else Going.NOWHERE
    is_given = not first.text and any(end.kind == "parameter" for end in flow.ends(program, first.expr))
    return Going.OPEN if is_given else Going.NOWHERE


def _is_chosen(rest: tuple[Word, ...]) -> bool:
    """Whether what an interpreter runs is only known at run time: its first word that is no option."""
    word = next((word for word in rest if not word.is_fixed or not word.text.startswith("-")), None)
    return word is not None and not word.is_fixed


def _of_address(rest: tuple[Word, ...]) -> Going:
    if any(not word.is_fixed for word in rest):
        return Going.ANYWHERE
    texts = [word.text for word in rest]
    posts = any(text.startswith(POSTING) for text in texts) or not METHOD.isdisjoint(texts)
    return Going.SENDS if posts else Going.ASKS
