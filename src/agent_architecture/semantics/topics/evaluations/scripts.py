"""Where a project says what is run: steps of CI workflows, scripts of packages, targets of Makefiles, shell scripts.

Reads documents and lines; the shell's text is read elsewhere. Must not know what an evaluation is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import nearness, parent
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.shell_words import words_of
from agent_architecture.semantics.matching.documents import at
from agent_architecture.semantics.packs.globs import fits
from agent_architecture.semantics.topics.evaluations.shell import Command, commands, within
from agent_architecture.semantics.topics.evaluations.starts import RunnerSettings
from agent_architecture.sources.source import Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.modules import ModuleTable

WORKFLOWS: Final = (
    ".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".gitlab/ci/*.yml",
    "azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines/*.yml", ".circleci/config.yml", ".travis.yml",
    "bitbucket-pipelines.yml", ".buildkite/*.yml", ".buildkite/*.yaml", ".forgejo/workflows/*.yml",
    ".gitea/workflows/*.yml", "cloudbuild.yaml", "cloudbuild.yml", ".woodpecker/*.yml", ".drone.yml",
)  # fmt: skip
STEPS: Final = frozenset({"run", "script", "bash", "command", "commands", "pwsh", "powershell", "before_script"})
"""Keys of workflow documents whose values are shell text."""
ALLOWED: Final = frozenset({"continue-on-error", "allow_failure", "continueOnError"})
BY_HAND: Final = frozenset({"workflow_dispatch", "workflow_call", "repository_dispatch", "issue_comment"})
"""Triggers that nobody's change sets off by itself."""
TASKS: Final = (
    ("tool", "poe", "tasks"), ("tool", "pdm", "scripts"), ("tool", "taskipy", "tasks"), ("tool", "pixi", "tasks"),
    ("tool", "rye", "scripts"), ("tool", "hatch", "envs", "*", "scripts"),
)  # fmt: skip
ENTRIES: Final = (("project", "scripts"), ("tool", "poetry", "scripts"))
RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
FILTERS: Final = frozenset({"-w", "--workspace", "--filter", "-F", "--prefix", "--cwd", "-C", "--dir", "workspace"})
BUILT_IN: Final = frozenset(
    {"install", "ci", "add", "i", "publish", "audit", "cache", "config", "set", "version", "pack"}
)
_TARGET: Final = regex(r"^([A-Za-z0-9][\w./ %-]*?)\s*::?(?!=)([^#\n]*)")
DEPTH: Final = 8
"""Scripts that call scripts are followed this far."""


class Script(NamedTuple):
    """A named piece of shell text: a script of a package, a target of a Makefile, a shell file (`name` is its path)."""

    name: str
    kind: str
    text: str
    folder: str
    span: Span
    needs: tuple[str, ...] = ()


class Step(NamedTuple):
    """A step of a CI workflow. `gates`: it runs on changes or on a schedule, and its failure fails the workflow."""

    text: str
    folder: str
    span: Span
    name: str
    gates: bool
    action: str = ""
    """The action that it uses, and its inputs as text, instead of shell text."""


class Scripts:
    """All scripts and steps of a project."""

    def __init__(self, table: ModuleTable) -> None:
        self._table = table
        self.steps = tuple(sorted(_steps(table), key=lambda step: step.span))
        self.scripts = tuple(
            sorted((*_packages(table), *_tasks(table), *_texts(table)), key=lambda s: (s.span, s.name))
        )

    def expanded(self, first: Iterable[Command]) -> tuple[Command, ...]:
        """Commands, and those of every script that they run."""
        found: list[Command] = []
        seen: set[tuple[str, str, str]] = set()
        queue = [(command, 0) for command in first]
        while queue:
            command, depth = queue.pop(0)
            found.append(command)
            for script in self._run_by(command) if depth < DEPTH else ():
                key = (script.kind, script.span.path, script.name)
                if key not in seen:
                    seen.add(key)
                    inner = self.commands_of(script)
                    queue.extend((each._replace(ignored=each.ignored or command.ignored), depth + 1) for each in inner)
        return tuple(found)

    def commands_of(self, script: Script) -> tuple[Command, ...]:
        """The commands of a script itself, and those that make the targets it needs."""
        needed = (Command(("make", name), script.folder) for name in script.needs)
        return (*needed, *commands(script.text, script.folder))

    def _run_by(self, command: Command) -> tuple[Script, ...]:
        program = command.program
        names = _script_names(command)
        if program in RUNNERS or program in {"turbo", "nx", "lerna"}:
            return self._named("package", names, command)
        if program in {"make", "gmake", "just"}:
            return self._named("make", names, command)
        if program in {"poe", "pdm", "hatch", "task", "taskipy", "rye", "pixi", "uv", "poetry"}:
            return self._named("task", (*names, *command.words[1:]), command)
        path = next((word for word in command.words if word.endswith((".sh", ".bash"))), None)
        if path is not None:
            places = (within(command.folder, path), within("", path))
            return tuple(s for s in self.scripts if s.kind == "shell" and s.name in places)
        return self._named("task", command.words[:1], command)

    def _named(self, kind: str, names: Iterable[str], command: Command) -> tuple[Script, ...]:
        """The scripts of these names in the folder that is meant, else in the nearest one that has them."""
        folder = within(command.folder, command.option("--prefix", "--cwd", "-C", "--dir") or ".")
        everywhere = command.option("--filter", "-F", "-w", "--workspace") or command.program in {
            "turbo",
            "nx",
            "lerna",
        }
        found: list[Script] = []
        for name in dict.fromkeys(names):
            same = [s for s in self.scripts if s.kind == kind and s.name == name]
            here = [s for s in same if s.folder == folder]
            if everywhere or here:
                found.extend(here or same)
            elif same:
                best = max(nearness(folder, s.folder) for s in same)
                found.extend(s for s in same if nearness(folder, s.folder) == best)
        return tuple(found)


def _script_names(command: Command) -> tuple[str, ...]:
    """The scripts or targets that a package manager or `make` is told to run."""
    words = [word for word in command.operands(FILTERS) if "=" not in word]
    if command.program in RUNNERS:
        if words[:1] in (["run"], ["run-script"]):
            words = words[1:2]
        else:
            words = [{"t": "test", "tst": "test"}.get(word, word) for word in words[:1] if word not in BUILT_IN]
    elif command.program in {"turbo", "nx", "lerna"}:
        words = [word.rpartition(":")[2] for word in words if word not in {"run", "run-many", "affected"}]
    return tuple(words)


# ------------------------------------------------------------------------------------------------------------ workflows
def _steps(table: ModuleTable) -> Iterator[Step]:
    for path in sorted(table.paths):
        if not any(fits(path, glob) for glob in WORKFLOWS):
            continue
        module = table.get(path)
        for document in module.body if module is not None else ():
            if isinstance(document, ir.Map):
                yield from _steps_of(document, gates=_is_triggered(document))


def _is_triggered(document: ir.Map) -> bool:
    """Whether a change or a schedule starts the workflow; a service without triggers runs on every change."""
    triggers = [entry.value for entry in document.entries if _key(entry) in {"on", "True"}]
    if not triggers:
        return True
    named: set[str] = set()
    for node in triggers:
        match node:
            case ir.Map():
                named.update(_key(entry) for entry in node.entries)
            case ir.List():
                named.update(str(item.value) for item in node.items if isinstance(item, ir.Literal))
            case ir.Literal():
                named.add(str(node.value))
            case _:
                continue
    return bool(named - BY_HAND)


def _steps_of(document: ir.Map, *, gates: bool) -> Iterator[Step]:
    """Every step below a node, with what the maps around it say."""
    queue: list[tuple[ir.Node, str, str, bool]] = [(document, "", "", gates)]
    while queue:
        node, folder, name, gating = queue.pop()
        if isinstance(node, ir.List):
            queue.extend((item, folder, name, gating) for item in node.items)
        if not isinstance(node, ir.Map):
            continue
        entries = {_key(entry): entry.value for entry in node.entries}
        if _text(entries.get("if")) == "False":
            continue
        gating = gating and not any(_text(entries.get(key)) == "True" for key in ALLOWED)
        folder = _folder(node) or folder
        name = _text(entries.get("name")) or name
        uses = _text(entries.get("uses"))
        if uses:
            yield Step("", folder, node.span, name, gating, f"{uses} {' '.join(_values(entries.get('with')))}")
        for key, value in entries.items():
            if key in STEPS:
                yield from (Step(text, folder, span, name or key, gating) for text, span in _shell_texts(value))
            queue.append((value, folder, name if key == "steps" else key, gating))


def _folder(node: ir.Map) -> str:
    for steps in (
        ("working-directory",),
        ("working_directory",),
        ("workingDirectory",),
        ("defaults", "run", "working-directory"),
    ):
        for found in at(node, steps):
            return within("", _text(found)) if _text(found) else ""
    return ""


def _shell_texts(value: ir.Node) -> Iterator[tuple[str, Span]]:
    match value:
        case ir.Literal(value=str() as text):
            yield text, value.span
        case ir.List():
            texts = [item for item in value.items if isinstance(item, ir.Literal) and isinstance(item.value, str)]
            if texts:
                yield "\n".join(str(item.value) for item in texts), texts[0].span
        case _:
            return


def _values(node: ir.Node | None) -> Iterator[str]:
    for inner in ir.walk(node) if node is not None else ():
        if isinstance(inner, ir.Literal) and isinstance(inner.value, str):
            yield inner.value


def _key(entry: ir.Entry) -> str:
    return str(entry.key.value) if isinstance(entry.key, ir.Literal) else ""


def _text(node: ir.Node | None) -> str:
    return str(node.value) if isinstance(node, ir.Literal) and node.value is not None else ""


# ------------------------------------------------------------------------------------------------------------- scripts
def _documents(table: ModuleTable, name: str) -> Iterator[tuple[str, ir.Map]]:
    for path in sorted(table.paths):
        if path == name or path.endswith(f"/{name}"):
            file = table.file(path)
            module = table.get(path) if file is not None and file.role not in {Role.VENDORED, Role.DOCS} else None
            for document in module.body if module is not None else ():
                if isinstance(document, ir.Map):
                    yield path, document


def _packages(table: ModuleTable) -> Iterator[Script]:
    for path, document in _documents(table, "package.json"):
        for scripts in at(document, ("scripts",)):
            yield from _entries(path, scripts, "package")


def _tasks(table: ModuleTable) -> Iterator[Script]:
    for path, document in _documents(table, "pyproject.toml"):
        for tasks in TASKS:
            for node in at(document, tasks):
                yield from _entries(path, node, "task")
        for entries in ENTRIES:
            for node in at(document, entries):
                yield from (s._replace(text=f"python-entry {s.text}") for s in _entries(path, node, "task"))


def _entries(path: str, node: ir.Node, kind: str) -> Iterator[Script]:
    for entry in node.entries if isinstance(node, ir.Map) else ():
        texts = [n.value for n in ir.walk(entry.value) if isinstance(n, ir.Literal) and isinstance(n.value, str)]
        if isinstance(entry.value, ir.Map):
            texts = [
                _text(found) for key in ("cmd", "shell", "script", "sequence") for found in at(entry.value, (key,))
            ]
        if entry.key is not None:
            yield Script(_key(entry), kind, "\n".join(texts), parent(path), entry.key.span)


def _texts(table: ModuleTable) -> Iterator[Script]:
    """Makefiles by target, and shell scripts as a whole."""
    for path in sorted(table.paths):
        file = table.file(path)
        name = path.rpartition("/")[2].lower()
        if file is None or file.role is Role.VENDORED:
            continue
        if name in {"makefile", "gnumakefile", "justfile"} or name.endswith(".mk"):
            yield from _targets(path, file.data.decode("utf-8", "replace"))
        elif name.endswith((".sh", ".bash")):
            text = file.data.decode("utf-8", "replace")
            yield Script(path, "shell", text, "", Span(path, 1, 1, 1, 1))


def _targets(path: str, text: str) -> Iterator[Script]:
    current: tuple[list[str], int, str] | None = None
    body: list[str] = []
    for number, line in enumerate([*text.split("\n"), "end:"], 1):
        found = _TARGET.match(line) if line[:1] not in {"\t", " ", "#"} else None
        if found:
            if current is not None:
                yield from _target(path, current, body)
            current, body = (found[1].split(), number, found[2]), []
        elif line[:1] in {"\t", " "}:
            body.append(line.strip())


def _target(path: str, head: tuple[list[str], int, str], body: list[str]) -> Iterator[Script]:
    names, number, needs = head
    for name in names:
        yield Script(
            name, "make", "\n".join(body), parent(path), Span(path, number, 1, number, 1), tuple(needs.split())
        )


# -------------------------------------------------------------------------------------------------------- test runners
RUNNER_FILES: Final = ("vitest.", "vite.config.", "jest.config.", "evalite.config.")
RUNNER_WORDS: Final = (".eval.", "scoreThreshold")
"""Words of JavaScript's configuration files: that `*.eval.ts` are tests, that a low score fails."""


def runner_settings(table: ModuleTable) -> RunnerSettings:
    """What the project configures for its test runners. Of JavaScript's files, which are programs, only words count."""
    files = (table.file(path) for path in table.paths if path.rpartition("/")[2].startswith(RUNNER_FILES))
    words = {word for file in files if file is not None for word in RUNNER_WORDS if word.encode() in file.data}
    options: list[str] = []
    paths: list[str] = []
    for path, document in _documents(table, "pyproject.toml"):
        for section in at(document, ("tool", "pytest", "ini_options")):
            options.extend(word for text in _values(_at(section, "addopts")) for word in words_of(text))
            found = (word for text in _values(_at(section, "testpaths")) for word in text.split())
            paths.extend(within(parent(path), word) for word in found)
    return RunnerSettings(frozenset(words), tuple(options), tuple(paths))


def _at(node: ir.Node, key: str) -> ir.Node | None:
    return next(iter(at(node, (key,))), None)
