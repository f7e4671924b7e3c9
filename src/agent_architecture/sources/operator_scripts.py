"""Scripts that an operator or developer starts by hand beside the application: seeding, data, checks, reproductions.

They stand in a folder of scripts or of data, or are called like tests that no runner of JavaScript collects
(`test_mcp.js`, outside of the sources); no other file of the application and no deployment names them, but for shell
scripts that nobody names either, and they serve nobody. Beside an application they are judged as examples are; where
there is nothing else, they are it. What evaluates the application is evaluated there, too (`topics/evaluations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.role_rules import SOURCES
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import SourceFile

FOLDERS: Final = frozenset({"script", "scripts", "hack"})
"""Folders of scripts, wherever they stand."""
OF_DATA: Final = frozenset({"data", "dataset", "datasets"})
"""Folders of data, at the top of a project: below its sources they are packages."""
TRIAL: Final = regex(r"test[_-].*\.[cm]?[jt]sx?")
"""What a file is called by which somebody tries the application out; Python's are tests by that name."""
QUOTED: Final = regex(rb"[\"'`/\s]([\w-]+)(?:\.[cm]?[jt]sx?)?[\"'`]")
"""The last part of a path that a file names."""
NAMED: Final = regex(rb"(?:^|[^\w])(?:scripts?|hack|data(?:sets?)?)[./]([\w./-]+)")
"""What a path or a dotted name says of a file in one of these folders."""
IMPORTED: Final = regex(rb"(?:from|import)\s+[\w.]*\b(?:scripts?|hack|data(?:sets?)?)\s+import\s+\(?([\w\s,]+)")
SERVES: Final = regex(
    rb"\b(?:FastMCP|McpServer|FastAPI|Flask|Starlette|express|Hono|Bot|Application)\s*\(|uvicorn\.run|\.listen\("
)
"""What serves others is no script."""
SHELL: Final = (".sh", ".bash")
MANIFEST: Final = "package.json"
STARTS: Final = regex(rb"\"(?:main|bin|start|serve|prod)\"\s*:\s*\"[^\"\n]*")
"""What a package starts with: its other scripts are those of its developers."""


def with_operator_scripts(files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files, with such scripts in the role of examples."""
    every = list(files)
    candidates = {file.path: file for file in every if _is_script(file)}
    if not candidates:
        return every
    named = _named(candidates, _started(file for file in every if file.path not in candidates))
    return [
        file.in_role(Role.EXAMPLE) if file.path in candidates and file.path not in named else file for file in every
    ]


def is_among(path: str) -> bool:
    """Whether a file stands in a folder of scripts or data."""
    folders = path.lower().split("/")[:-1]
    return bool(folders) and (not FOLDERS.isdisjoint(folders) or folders[0] in OF_DATA)


def stands_beside(path: str, role: Role) -> bool:
    """Whether a file with a role is such a script beside an application."""
    return role is Role.EXAMPLE and (is_among(path) or _is_trial(path))


def _is_trial(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return TRIAL.fullmatch(name) is not None and SOURCES.isdisjoint(folders)


def _is_script(file: SourceFile) -> bool:
    found = file.role is Role.APP and file.language in CODE and (is_among(file.path) or _is_trial(file.path))
    return found and not SERVES.search(file.data)


def _started(files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files without the shell scripts that no other file names: somebody starts those by hand, too."""
    every = [file for file in files if file.role in {Role.APP, Role.CONFIG} and file.language is not Language.MARKDOWN]
    waiting = {file.path: file for file in every if file.path.endswith(SHELL)}
    reached = [file for file in every if file.path not in waiting]
    for file in reached:
        named = [path for path in waiting if path.rpartition("/")[2].encode() in file.data]
        reached += map(waiting.pop, named)  # what a started script names is started
    return reached


def _named(candidates: dict[str, SourceFile], others: Iterable[SourceFile]) -> set[str]:
    """The candidates that other files name, and those that these name in turn."""
    words: set[str] = set()
    trials = any(_is_trial(path) for path in candidates)
    for file in others:
        words |= _words(file, quoted=trials)
    named = {path for path in candidates if _stem(path) in words}
    waiting = list(named)
    for path in waiting:
        data = candidates[path].data
        more = {other for other in candidates if other not in named and _stem(other).encode() in data}
        named |= more
        waiting += sorted(more)
    return named


def _words(file: SourceFile, *, quoted: bool) -> set[str]:
    """The last words of what a file says of files in such folders; of files anywhere, where that is asked."""
    data = b'"\n'.join((*STARTS.findall(file.data), b"")) if file.path.endswith(MANIFEST) else file.data
    found = (said.decode(errors="replace") for said in NAMED.findall(data))
    words = {word for said in found for part in said.split("/") for word in part.split(".")}
    words |= {said.decode(errors="replace") for said in QUOTED.findall(data)} if quoted else set()
    listed = (said.decode(errors="replace") for said in IMPORTED.findall(data))
    return words.union(*(said.replace(",", " ").split() for said in listed))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
