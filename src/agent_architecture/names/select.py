"""Which files are worth parsing: every program that reaches a file of interest, with all that it imports.

A file of interest (a seed) is one whose bytes a scanner hits. The files that import a seed, directly or through others,
are found by their bytes and confirmed by their syntax; then everything that these files import is taken, and what is
in folders from which they import by computed names. What is left over cannot run in one process with a seed, unless it
is loaded by a name that is not in the code. Files that are worth reading by themselves come last, with nothing that
they import. Files that ask a server of such a program for one of its paths belong to it as if they imported it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_scan import Mention, mentions
from agent_architecture.names.import_targets import InFolder, InProject
from agent_architecture.names.named_folders import loaded
from agent_architecture.names.url_paths import of_file, segments
from agent_architecture.regexes import regex
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.scan import scanner
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax.ir import If, Member, Name

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from agent_architecture.names.specifiers import Specifiers
    from agent_architecture.sources.source import SourceFile
    from agent_architecture.syntax.ir import Expr, Import, Module

ROLES: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})
"""Tests are searched for evaluations elsewhere; other code is parsed where a name leads to it."""

MOST: Final = 0.5
"""The share of the files from which on all of them are taken: to leave out the rest saves little, and can lose what no
import leads to (a script that a test starts, a module that a container file names).
"""

SERVES: Final = regex(
    rb"\.(?:get|post|put|patch|delete|route|api_route|all|add_api_route|add_url_rule)\(\s*[\"'`](/[^\s\"'`]+)"
)
"""How a server says which path it answers."""
ASKS: Final = regex(
    rb"\bfetch\(|\baxios\b|\bky\b|\brequests\.|\bhttpx\.|\baiohttp\b|\burlopen\(|\$fetch\(|\b(?:fetch)?EventSource\("
)
"""How code asks a server."""

_CODE: Final = frozenset({Language.PYTHON, Language.NOTEBOOK, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})


def worth_parsing(
    specifiers: Specifiers, hits: Callable[[bytes], bool], alone: Callable[[bytes], bool]
) -> tuple[str, ...]:
    """What `select` chooses, or all code files where that is most of them, sorted."""
    chosen, files = select(specifiers, hits, alone=alone), _files(specifiers, ROLES)
    return tuple(sorted(files)) if chosen and len(chosen) >= MOST * len(files) else chosen


def select(
    specifiers: Specifiers,
    hits: Callable[[bytes], bool],
    roles: frozenset[Role] = ROLES,
    alone: Callable[[bytes], bool] = lambda _: False,
) -> tuple[str, ...]:
    """The paths of the code files worth parsing, sorted: those of programs with a file that `hits`, and where there are
    any, those `alone` asks for. Of the first each is parsed by then, and next to no other file.
    """
    files = _files(specifiers, roles)
    seeds = {path for path, file in files.items() if told(file, hits)}
    if not seeds:
        return ()
    found = imported(specifiers, _importing(specifiers, files, seeds), files)
    further = loaded(files, found) - found
    found |= imported(specifiers, further, files) if further else set()
    asking = _asking(files, found)
    found |= imported(specifiers, _importing(specifiers, files, asking), files) if asking else set()
    return tuple(sorted(found | {path for path, file in files.items() if path not in found and told(file, alone)}))


def _files(specifiers: Specifiers, roles: frozenset[Role]) -> dict[str, SourceFile]:
    return {file.path: file for file in specifiers.table.files() if file.language in _CODE and file.role in roles}


def _asking(files: dict[str, SourceFile], found: set[str]) -> set[str]:
    """The other files that name a path which one of the files found answers, and ask servers for something."""
    paths = scanner(tuple(sorted({word for path in found for word in _served(files[path])})))
    others = (file for path, file in files.items() if path not in found)
    return {file.path for file in others if ASKS.search(file.data) and paths.finds(file.data)}


def _served(file: SourceFile) -> Iterator[bytes]:
    """The paths that a file answers, as its place and its text have them, up to a part that stands for any."""
    place = of_file(file.path) or ()
    written = (segments(found[1].decode("utf-8", "replace")) for found in SERVES.finditer(file.data))
    for path in (place, *written):
        known = tuple(takewhile(bool, path))
        if known:
            yield "/".join(("", *known)).encode()


def imports_of(specifiers: Specifiers, module: Module) -> frozenset[str]:
    """The project files that a module imports or re-exports, wherever in it that stands."""
    found = specifiers.imports.get(module.path)
    if found is None:
        found = specifiers.imports[module.path] = frozenset(
            path for mention in _written(module) for path in _paths(specifiers, module, mention)
        )
    return found


def imports_when_run(specifiers: Specifiers, module: Module) -> frozenset[str]:
    """Those of them that are imported for more than a type checker: at run time the others are not loaded."""
    apart = [imp for _, imp in module.index.imports if is_for_types(module, imp)]
    if not apart:
        return imports_of(specifiers, module)
    return frozenset(path for mention in _written(module, apart) for path in _paths(specifiers, module, mention))


def is_for_types(module: Module, imp: Import) -> bool:
    """Whether an import is there for a type checker alone: `import type`, or in `if TYPE_CHECKING:`."""
    return imp.type_only or any(
        isinstance(node, If) and node.span.contains(imp.span) and _asks_for_types(node.test) for node in module.body
    )


def _asks_for_types(test: Expr) -> bool:
    """Whether a test asks if a type checker reads the code."""
    return (isinstance(test, Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, Member) and test.name == "TYPE_CHECKING"
    )


def _written(module: Module, apart: Sequence[Import] = ()) -> Iterator[Mention]:
    for _, imp in module.index.imports:
        if not any(imp is one for one in apart):
            yield Mention(imp.module, imp.level, tuple(name.name for name in imp.names))
    for export in module.index.exports:
        if export.module is not None:
            yield Mention(export.module)


def _importing(specifiers: Specifiers, files: dict[str, SourceFile], seeds: set[str]) -> set[str]:
    """The seeds and every file that imports one of them, directly or through others."""
    importers: dict[str, list[str]] = {}
    for path, file in files.items():
        if path not in seeds:
            for target in _mentioned(specifiers, file):
                importers.setdefault(target, []).append(path)
    found = set(seeds)
    queue = sorted(seeds)
    while queue:
        target = queue.pop()
        for path in importers.get(target, ()):
            if path not in found and target in _edges(specifiers, path):
                found.add(path)
                queue.append(path)
    return found


def _mentioned(specifiers: Specifiers, file: SourceFile) -> set[str]:
    return {path for mention in mentions(file) for path in _paths(specifiers, file, mention)}


def mentioned_by(specifiers: Specifiers, file: SourceFile) -> frozenset[str]:
    """The project files that a file which was not parsed imports, as its bytes say."""
    return frozenset(_mentioned(specifiers, file))


def imported(specifiers: Specifiers, start: set[str], among: Container[str] | None = None) -> set[str]:
    """The files and everything that they import, directly or through others, of all files or only `among` these."""
    found = set(start)
    queue = sorted(start)
    while queue:
        for target in _edges(specifiers, queue.pop()):
            if target not in found and (among is None or target in among):
                found.add(target)
                queue.append(target)
    return found


def _edges(specifiers: Specifiers, path: str) -> frozenset[str]:
    module = specifiers.table.get(path)
    return frozenset() if module is None else imports_of(specifiers, module)


def _paths(specifiers: Specifiers, place: Module | SourceFile, mention: Mention) -> Iterator[str]:
    """The project files that one import can mean: the module, and submodules among the names imported from it."""
    specifier, level, names = mention
    for target in specifiers.resolve(place.path, place.language, specifier, level, whole=not names):
        if isinstance(target, InProject):
            yield target.path
        if isinstance(target, (InProject, InFolder)):
            found = (specifiers.python.submodule(target, name) for name in names)
            yield from (module.path for module in found if isinstance(module, InProject))
