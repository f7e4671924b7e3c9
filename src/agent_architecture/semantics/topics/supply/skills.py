"""Skills of agents: folders with a `SKILL.md` that tells an agent what to run, and the scripts beside it.

Whatever such a text or script installs serves the agent that follows it. Reads lines; must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import line_span
from agent_architecture.semantics.manifests.install_commands import SCRIPT, installed
from agent_architecture.semantics.manifests.manifests import folders_above
from agent_architecture.semantics.topics.supply.scripts import SUFFIXES, command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Role, SourceFile

NAME: Final = "skill.md"
_LARGEST: Final = 500_000
_FENCE: Final = regex(r"\s*(?:>\s*)?(`{3,}|~{3,})\s*([\w+-]*)")
_SHELLS: Final = frozenset({"", "bash", "sh", "shell", "zsh", "console", "shell-session", "terminal"})
_SPAN: Final = regex(r"`([^`\n]{3,300})`")
_INSTALLER: Final = regex(
    r"(?:\$\s*)?(?:sudo\s+)?(?:pip[\d.]*|python[\d.]*\s+-m\s+pip|pipx|uv|npm|pnpm|yarn|bun|npx|uvx|bunx|curl|wget)\s"
)
_REFUSED: Final = regex(
    r"\b(?:never|not|don't|avoid|without|instead of|rather than|e\.g\.|for example|such as)(?!\w)|❌", re.IGNORECASE
)
"""Words of a line whose command is no instruction to run it."""
_PACKAGE: Final = regex(r"(?:@?[\w.-]+(?:/[\w.-]+)?|(?:git\+|https?:|github:)\S+)")
_HOST: Final = regex(r"(?:^|/)\.claude/")
_HIDDEN: Final = regex(r"(?:^|/)\.[\w-]+/")
_SETTINGS: Final = regex(rb"\bsetting_?[sS]ources\b")


def skill_folders(context: Context, sites: tuple[Site, ...], judged: frozenset[Role]) -> dict[str, SourceFile]:
    """The skills that the project's agents have, by folder. Those in a host's folder (`.claude/skills`) are its
    developers', unless a program beside it takes its settings from there.
    """
    named = [file for file in context.program.table.files() if file.path.rpartition("/")[2].lower() == NAME]
    skills = [file for file in named if file.role in judged]
    used = _hosts_in_use(context, skills, sites)
    found: dict[str, SourceFile] = {}
    for file in skills:
        host = _HOST.search(file.path)
        if _HIDDEN.search(file.path) is None or (host is not None and file.path[: host.start()] in used):
            found[file.path.rpartition("/")[0]] = file
    return found


def _hosts_in_use(context: Context, skills: list[SourceFile], sites: tuple[Site, ...]) -> frozenset[str]:
    """The folders beside whose `.claude` a program takes its settings from there: the nearest above it."""
    roots = {file.path[: host.start()] for file in skills if (host := _HOST.search(file.path)) is not None}
    used: set[str] = set()
    for path in sorted({site.span.path for site in sites}) if roots else ():
        file = context.program.table.file(path)
        if file is not None and _SETTINGS.search(file.data) is not None:
            used |= set([root for root in folders_above(path.rpartition("/")[0]) if root in roots][:1])
    return frozenset(used)


def in_skills(context: Context, skills: dict[str, SourceFile]) -> Iterator[InstallPath]:
    """One install path for each skill that installs something by name, its scripts included."""
    scripts = [file for file in context.program.table.files() if file.path.endswith(SUFFIXES)] if skills else []
    for folder, skill in skills.items():
        beside = [file for file in scripts if file.path.startswith(f"{folder}/")]
        items = [*_items(skill, _told(skill)), *(item for file in beside for item in _items(file, _lines(file)))]
        if items:
            yield InstallPath(items[0].span, folder.rpartition("/")[2] or NAME, "", "skill", tuple(items))


def _text(file: SourceFile) -> list[str]:
    return file.data[:_LARGEST].decode("utf-8", "replace").splitlines()


def _lines(file: SourceFile) -> Iterator[tuple[int, str, str]]:
    return ((number, line, command(line)) for number, line in enumerate(_text(file), 1))


def _told(file: SourceFile) -> Iterator[tuple[int, str, str]]:
    """The commands of a skill: lines of its shell blocks, and code in its text that begins with an installer."""
    fence, shell = "", False
    for number, line in enumerate(_text(file), 1):
        marked = _FENCE.match(line)
        if marked is not None and (not fence or (marked[1].startswith(fence) and not marked[2])):
            fence, shell = ("", False) if fence else (marked[1], marked[2].lower() in _SHELLS)
        elif fence:
            if shell:
                yield number, line, command(re.sub(r"^\s*[$>]\s+", "", line))
        elif _REFUSED.search(line) is None:
            yield from ((number, line, span[1]) for span in _SPAN.finditer(line) if _INSTALLER.match(span[1]))


def _items(file: SourceFile, told: Iterable[tuple[int, str, str]]) -> Iterator[InstallItem]:
    for number, line, text in told:
        for found in installed(text):
            is_named = "://" in found.name if found.ecosystem == SCRIPT else _PACKAGE.fullmatch(found.name) is not None
            if is_named and found.pin is not Pin.UNKNOWN:
                yield InstallItem(found.name, found.pin, line_span(file.path, number, line))
