"""Code that loads files by names that are not in it, and which files it may mean by what of the name is written.

`import_module(f".{kind}", package=__package__)` and ``import(`./kinds/${kind}.js`)`` load files of one folder, a queue
that looks for its tasks loads those that are called so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_notebook

if TYPE_CHECKING:
    from agent_architecture.sources.source import SourceFile

LOADING: Final = {
    True: regex(
        rb"\b(?:import_module|__import__)\s*+\(\s*+(?![\"'][\w.]+[\"']\s*\))|\b(?:iter_modules|walk_packages|"
        rb"spec_from_file_location|SourceFileLoader|run_path|run_module|entry_points|autodiscover\w*(?=\s*\()|load_extension|"
        rb"load_module|find_modules|import_string|exec_module)\b"
    ),
    False: regex(
        rb"\b(?:import|require)\s*+\(\s*+(?![\"'\s/*)]|`[^`]*\.(?:css|html|json|mdx?|svg|txt|ya?ml)`)|"
        rb"\bimport\.meta\.glob|\brequire\.context\b|"
        rb"\b(?:auto[Ll]oad|fileURLToPath\([^)]*\)\s*,\s*[\"']\.\.?/?[\"'])"
    ),
}
"""How code loads files by names that are not in it, by whether it is Python."""
WRITTEN: Final = {
    True: regex(
        rb"\b(?:import_module|__import__)\s*\(\s*[fF][\"'](?P<start>\.?[\w.]*\.|\.)\{[^{}\n]*\}[^\"'\n]*[\"']|"
        rb"\b(?:import_module|__import__)\s*\(\s*[\"'](?P<added>\.?[\w.]*\.|\.)[\"']\s*\+|"
        rb"\bautodiscover_tasks\(\s*\[(?P<tasks>[\s\w.,\"']*)\]\s*,?\s*\)"
    ),
    False: regex(rb"\b(?:import|require)\s*\(\s*`(?P<start>\.\.?/[\w./-]*/|\./)\$\{"),
}
"""Forms of these of which the beginning of the name is written."""
LISTING: Final = regex(rb"(?:iter_modules|walk_packages|find_modules)")
"""Those that only say what there is to load."""
TASKS: Final = "tasks"
"""The name of the files that a queue looks for (celery 5.4, `Celery.autodiscover_tasks`)."""


OWN_PACKAGE: Final = regex(rb"[^\n,()]*,\s*(?:package\s*=\s*)?(?:__package__|__name__)\s*,?\s*\)")
"""What stands behind a name that is read from the package of the file itself."""


class Loader(NamedTuple):
    """A file that loads others, and which: those below a place, or whose path ends so. Both empty: any."""

    path: str
    below: str = ""
    named: str = ""

    def may_mean(self, path: str) -> bool:
        """Whether what it loads may be this file."""
        if self.named:
            return path.rpartition("/")[2].partition(".")[0] == self.named
        return f"/{self.below}" in f"/{path}"


def loaders(file: SourceFile, *, python: bool) -> tuple[Loader, ...]:
    """What a file loads by names that are not in it. Who tries something out in a notebook loads what is beside it."""
    data = file.data
    found = list(LOADING[python].finditer(data))
    if not found:
        return ()
    folder = file.path.rpartition("/")[0]
    known = {match.start(): match for match in WRITTEN[python].finditer(data)}
    loading = [each for each in found if not LISTING.fullmatch(each.group())]
    if loading and all(each.start() in known for each in loading):
        return tuple(_confined(file.path, known[each.start()], python=python) for each in loading)
    return (Loader(file.path, f"{folder}/" if is_notebook(file.path) and folder else ""),)


def _confined(path: str, found: re.Match[bytes], *, python: bool) -> Loader:
    written = found.groupdict()
    if written.get("tasks") is not None:
        return Loader(path, named=TASKS)
    start = (written.get("start") or written.get("added") or b"").decode()
    folder = path.rpartition("/")[0]
    if not python:
        return Loader(path, _below(f"{folder}/{start}"))
    if not start.startswith("."):
        return Loader(path, _below(start.replace(".", "/")))
    is_own = not start.startswith("..") and OWN_PACKAGE.match(found.string, found.end()) is not None
    return Loader(path, _below(f"{folder}/{start[1:].replace('.', '/')}") if is_own else "")


def _below(path: str) -> str:
    """The folder of a path, with what goes up in it gone."""
    parts: list[str] = []
    for each in path.split("/"):
        if each == ".." and parts:
            parts.pop()
        elif each not in {"", "."}:
            parts.append(each)
    return "".join(f"{each}/" for each in parts)
