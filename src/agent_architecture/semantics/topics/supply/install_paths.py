"""The install paths of a project: lock files, manifests, Dockerfiles, workflows, launches and loads.

Decides which file is the way in which something arrives (a lock file stands for the manifests that it covers), and
which files serve the agent. Says nothing of what is firm enough.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import (
    SETUP,
    is_workspace,
    line_span,
    manifest_entries,
    project_names,
    says_of_itself,
    workspace_packages,
)
from agent_architecture.semantics.manifests.lockfiles import is_lock
from agent_architecture.semantics.manifests.manifests import AROUND, folders_above
from agent_architecture.semantics.manifests.ranges import NPM, PYPI
from agent_architecture.semantics.manifests.versions import LOCKED
from agent_architecture.semantics.topics.supply.compose_images import asks_host, composed_items, starts_images
from agent_architecture.semantics.topics.supply.hub_loads import loads
from agent_architecture.semantics.topics.supply.images import dockerfile_items, is_for_developers, workflow_items
from agent_architecture.semantics.topics.supply.launches import launches
from agent_architecture.semantics.topics.supply.locked_entries import KEYS, locked_entries
from agent_architecture.semantics.topics.supply.notebooks import in_notebooks
from agent_architecture.semantics.topics.supply.run_time_installs import at_run_time
from agent_architecture.semantics.topics.supply.scripts import installing
from agent_architecture.semantics.topics.supply.server_imports import Imported
from agent_architecture.semantics.topics.supply.serving import Serving
from agent_architecture.semantics.topics.supply.skills import in_skills, skill_folders
from agent_architecture.semantics.topics.supply.unlocked_installs import unlocked
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.semantics.manifests.declared_lines import Entry
    from agent_architecture.semantics.manifests.versions import Versions
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile

_DEVELOPMENT: Final = frozenset(
    {
        "dev",
        "develop",
        "development",
        "test",
        "tests",
        "testing",
        "docs",
        "doc",
        "lint",
        "ci",
        "constraints",
        "eval",
        "bench",
    }
)
_WORKSPACES: Final = {"package-lock.json": "package.json", "yarn.lock": "package.json", "uv.lock": "pyproject.toml"}
"""Lock files of which there is one for a whole workspace, and the manifest that says that there is one."""
DEVELOPERS: Final = regex(
    r"(?:^|/)\.?devcontainer(?:s?/|[.-])"
    r"|(?:^|/)(?:dockerfile[.-](?:dev(?:container)?|tests?)|(?:dev|tests?)\.dockerfile)$",
    re.IGNORECASE,
)
"""Containers for development and tests."""
_WORKFLOWS: Final = ".github/workflows/"


def install_paths(
    context: Context, sites: tuple[Site, ...], tools: tuple[Tool, ...], judged: frozenset[Role]
) -> tuple[InstallPath, ...]:
    """Every install path of the judged files that serves an agent."""
    serving = Serving(context.packs)
    files = [
        file
        for file in (*context.versions.files, *filter(says_of_itself, context.program.table.files()))
        if is_lock(file.path) or (file.role in judged and not _is_development(file.path))
    ]
    imported = Imported(context, sites)
    skills = skill_folders(context, sites, judged)
    packages = [
        _with_locked(context.versions, path)
        for path in _package_files(files, serving, imported, frozenset(skills) - {""})
    ]
    served = {path.span.path for path in packages} | {site.span.path for site in sites}
    started = [path for path in (*launches(context), *loads(context)) if _is_judged(context, path, judged)]
    scripts = installing(context, serving, judged, _described(context, tools))
    found = [*packages, *_documents(context, serving, served, judged), *scripts, *started, *at_run_time(context, tools)]
    found += [
        *in_notebooks(context, serving, judged),
        *_compositions(context, served, judged),
        *in_skills(context, skills),
    ]
    unique = {(path.span, path.symbol): path for path in found}
    return tuple(unique[key] for key in sorted(unique))


def _described(context: Context, tools: tuple[Tool, ...]) -> frozenset[str]:
    """The folders of documents that describe tools; not the project's own, which holds more than tools."""
    files = (context.program.table.file(tool.span.path) for tool in tools)
    return frozenset(f.path.rpartition("/")[0] for f in files if f is not None and f.language not in CODE) - {""}


def _is_judged(context: Context, path: InstallPath, judged: frozenset[Role]) -> bool:
    """Whether what starts or loads something stands in the application, or in a configuration of a host."""
    file = context.program.table.file(path.span.path)
    return file is None or file.language not in CODE or file.role in judged


def _is_development(path: str) -> bool:
    name = path.rpartition("/")[2].lower().rpartition(".")[0]
    return bool(_DEVELOPMENT & set(name.replace("_", "-").replace(".", "-").split("-"))) and "require" in path.lower()


def _is_tested(path: str) -> bool:
    """Whether a workflow is called after what developers do: its steps install what tests need, not the agent."""
    name = path.rpartition("/")[2].lower().rpartition(".")[0]
    return bool(_DEVELOPMENT & set(name.replace("_", "-").replace(".", "-").split("-")))


def _package_files(
    files: list[SourceFile], serving: Serving, imported: Imported, skills: frozenset[str]
) -> Iterator[InstallPath]:
    """A lock file with what the manifests below it ask for; a manifest that no lock file covers. All that a skill asks
    for serves the agent.
    """
    locks = [file for file in files if is_lock(file.path)]
    direct: dict[str, set[str]] = {}
    own = workspace_packages(files)
    for file in (file for file in files if not is_lock(file.path)):
        asked = [entry for entry in manifest_entries(file) if not (entry.ecosystem == NPM and entry.name in own)]
        entries = [entry for entry in asked if serving.serves(entry.ecosystem, entry.name)]
        entries = entries or [entry for entry in asked if imported.serves(file.path, entry)]
        entries = asked if skills.intersection(folders_above(file.path.rpartition("/")[0])) else entries
        reaching = [lock for lock in locks if _reaches(lock.path, file.path, files)]
        lock = _covering(file, reaching, entries) if _has_locks(file.path) else None
        if lock is not None:
            direct.setdefault(lock.path, set()).update(entry.name for entry in entries)
        elif entries:
            yield _path(file, "manifest", imported.first(file.path, entries))
    for file in locks:
        wanted = direct.get(file.path, set())
        entries = list(locked_entries(file, wanted.__contains__)) if wanted else []
        if entries:
            yield _path(file, "lock", entries)


def _with_locked(versions: Versions, path: InstallPath) -> InstallPath:
    """A manifest with the versions that lock files have of what it asks for."""
    if path.kind != "manifest":
        return path
    ecosystem = NPM if path.span.path.endswith("package.json") else PYPI
    named = (versions.of(ecosystem, item.name, path.span.path) for item in path.items)
    items = (
        item._replace(locked=found.version) if found.origin == LOCKED else item
        for item, found in zip(path.items, named, strict=True)
    )
    return path._replace(items=tuple(items))


def _copied(versions: Versions, folder: str, copied: Sequence[str], manifest: str) -> Iterator[Entry]:
    """What the manifests that an image installs without their lock file ask for, with what that file has of it."""
    for entry in unlocked(versions.files, folder, copied, manifest):
        found = versions.of(entry.ecosystem, entry.name, entry.span.path)
        yield entry._replace(locked=found.version) if found.origin == LOCKED else entry


def _reaches(lock: str, manifest: str, files: list[SourceFile]) -> bool:
    """Whether a lock file can be that of a manifest: it stands beside it, or its own manifest makes a workspace. npm's
    and uv's say so themselves.
    """
    folder, name = lock.rpartition("/")[0], lock.rpartition("/")[2].lower()
    if manifest.rpartition("/")[0] == folder or name not in _WORKSPACES:
        return True
    beside = f"{folder}/{_WORKSPACES[name]}".lstrip("/")
    own = next((file for file in files if file.path == beside), None)
    return own is None or is_workspace(own)


def _has_locks(path: str) -> bool:
    return path.rpartition("/")[2].lower() in {"pyproject.toml", "package.json", "pipfile", "setup.cfg", SETUP}


def _covering(file: SourceFile, locks: Iterable[SourceFile], entries: list[Entry]) -> SourceFile | None:
    """The nearest lock file beside or above a manifest that knows one of its packages."""
    ecosystem = NPM if file.path.endswith("package.json") else PYPI
    names = {entry.name for entry in entries}
    for folder in folders_above(file.path.rpartition("/")[0]):
        beside = [
            lock for lock in locks if lock.path.rpartition("/")[0] == folder and _ecosystem(lock.path) == ecosystem
        ]
        for lock in beside:
            if any(True for _ in locked_entries(lock, names.__contains__)):
                return lock
    return None


def _ecosystem(path: str) -> str:
    return KEYS.get(path.rpartition("/")[2].lower(), (PYPI, None))[0]


def _path(file: SourceFile, kind: str, entries: list[Entry]) -> InstallPath:
    """A file as a path: a lock file stands at its first line, a manifest where it asks for something."""
    items = tuple(InstallItem(entry.name, entry.pin, entry.span) for entry in entries)
    first = file.data.partition(b"\n")[0].decode("utf-8", "replace")
    span = line_span(file.path, 1, first[:200]) if kind == "lock" else items[0].span
    return InstallPath(span, file.path.rpartition("/")[2], "", kind, items)


def _documents(context: Context, serving: Serving, served: set[str], judged: frozenset[Role]) -> Iterator[InstallPath]:
    table = context.program.table
    for file in table.files():
        is_workflow = _WORKFLOWS in f"/{file.path}"[1:] and file.language is Language.YAML and not _is_tested(file.path)
        is_image = file.language is Language.DOCKERFILE and file.role in judged and _serves(file.path, served)
        if not (is_workflow or is_image) or (module := table.get(file.path)) is None:
            continue
        if is_workflow and all(is_for_developers(document) for document in module.body):
            continue
        asked = partial(_copied, context.versions, file.path.rpartition("/")[0])
        items = [
            item
            for document in module.body
            for item in (
                workflow_items(document, serving) if is_workflow else dockerfile_items(document, serving, asked)
            )
        ]
        if items:
            name = file.path.rpartition("/")[2]
            kind = "workflow" if is_workflow else "dockerfile"
            yield InstallPath(items[0].span, name, "", kind, tuple(items))


def _compositions(context: Context, served: set[str], judged: frozenset[Role]) -> Iterator[InstallPath]:
    """Compose files and Kubernetes manifests that start the agent, its models or its servers."""
    own = project_names(context.versions.files)
    judged_files = tuple(file for file in context.program.table.files() if file.role in judged)
    is_asked = asks_host(file for file in judged_files if file.language in CODE)
    for file in context.program.table.files():
        if not starts_images(file) or file.role not in judged or _is_tested(file.path):
            continue
        module = context.program.table.get(file.path) if _serves(file.path, served) else None
        items = [
            item for document in (module.body if module else ()) for item in composed_items(document, own, is_asked)
        ]
        if items:
            yield InstallPath(items[0].span, file.path.rpartition("/")[2], "", "images", tuple(items))


def _serves(path: str, served: set[str]) -> bool:
    """Whether a Dockerfile or a file that starts images stands beside or above something of the agent; a container in
    which people develop serves nobody.
    """
    if DEVELOPERS.search(path):
        return False
    folder = path.rpartition("/")[0]
    outer, _, last = folder.rpartition("/")
    base = outer if last.lower() in AROUND else folder
    return any(not base or other.startswith(f"{base}/") for other in served)
