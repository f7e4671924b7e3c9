"""What the project itself sets in the environment of its processes, and what it starts them with, as far as packs
speak of it.

Variables are read in the files of deployments (`.env`, Dockerfiles, compose and Kubernetes files, platforms'
configurations), in scripts, a `Procfile` and `package.json` (`X=1 python app.py`), and in code (`os.environ["X"] = …`,
`process.env.X = …`), commands in all these files, attributes of libraries' modules in code (`litellm.callbacks = […]`).
Workflows of CI are no deployment, and what starts tests is none.
Says nothing about what a setting means.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Setting, unknown, written
from agent_architecture.names.values import Api, Const, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language, Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EnvironmentRow
    from agent_architecture.sources.source import SourceFile

ROLES: Final = frozenset({Role.APP, Role.CONFIG, Role.EXAMPLE})
"""Tests set what tests need."""
_CI: Final = regex(r"(?:.*/)?(?:\.github|\.circleci|\.buildkite)/.*|(?:.*/)?\.gitlab-ci\.ya?ml")
_STARTING: Final = regex(
    r"(?:.*/)?(?:(?:.*\.)?(?:dockerfile|containerfile)(?:[._-].*)?|makefile|justfile|procfile|package\.json"
    r"|(?:fly|railway|nixpacks)\.toml|.*\.(?:sh|bash|ya?ml))",
    re.IGNORECASE,
)
"""Files that say how processes are started."""
_VARIABLES: Final = regex(r"(?:.*/)?\.?env(?:[._-][^/]*)?\.(?:ya?ml|json)", re.IGNORECASE)
"""Documents that are one mapping of variables: `--env-vars-file .env.yaml`."""
_SHELL: Final = regex(r"(?:.*/)?(?:procfile|[^/]*\.(?:sh|bash))", re.IGNORECASE)
"""Files of shell text, line by line."""
_TESTING: Final = regex(r"(?:.*[-_:.])?(?:tests?|evals?|lint|e2e)(?:[-_:.].*)?", re.IGNORECASE)
"""Names of scripts that start no agent for its users."""
_SETTING: Final = regex(r"(?<![\w$.{-])([A-Z][A-Z0-9_]*)=(?:\"([^\"]*)\"|'([^']*)'|([^\s\"';&|\\)]+))")
_HOLDERS: Final = frozenset({"environment", "env", "vars", "envVars", "envs", "env_variables", "Variables"})
"""Keys of documents under which variables stand: compose; Kubernetes, Fly, Vercel; Wrangler; Render; DigitalOcean; App
Engine; CloudFormation."""
_PROCESS: Final = ("py:os.environ", "npm:globalThis:process.env")
_CALLS: Final = frozenset({"setdefault", "putenv"})


class Assigned(NamedTuple):
    """A row whose variable the project sets, or whose command it starts a process with. `setting` is the value of
    `row.sets`, in the vocabulary's words.
    """

    row: EnvironmentRow
    variable: str
    setting: Setting
    path: str
    span: Span


class _Written(NamedTuple):
    variable: str
    value: ir.Expr
    span: Span


def assigned(context: Context) -> tuple[Assigned, ...]:
    """Each variable of a row that a file of the project sets, and each command of a row in one, by position. A value
    that no word translates says nothing.
    """
    return context.once(_assigned)


def _assigned(context: Context) -> tuple[Assigned, ...]:
    rows: dict[str, list[EnvironmentRow]] = {}
    for row in context.packs.environment:
        for name in (*row.variables, *row.attributes):
            rows.setdefault(name, []).append(row)
    found = list(_started(context))
    if not rows:
        return tuple(found)
    texts = sorted({last_name(name) if ":" in name else name for name in rows}, key=len, reverse=True)
    wanted = re.compile(b"|".join(re.escape(text.encode()) for text in texts))
    for file in context.program.table.files():
        if file.role in ROLES and wanted.search(file.data):
            for variable, value, span in _written(context.program, file):
                for row in rows.get(variable, ()):
                    setting = _setting(context.program, value, row)
                    if setting is not None:
                        found.append(Assigned(row, variable, setting, file.path, span))
    return tuple(sorted(found, key=lambda one: (one.span, one.row.where)))


def _started(context: Context) -> Iterator[Assigned]:
    """The lines of scripts and of deployments' files that start something with a command of a row."""
    rows = {command: row for row in context.packs.environment for command in row.commands}
    if not rows:
        return
    ways = "|".join(re.escape(command) for command in sorted(rows, key=len, reverse=True))
    wanted = re.compile(rf"(?<![\w./@-])(?:{ways})(?![\w./-])".encode())
    for file in context.program.table.files():
        if file.role in ROLES and _STARTING.fullmatch(file.path) and not _CI.fullmatch(file.path):
            for number, line in enumerate(file.data.split(b"\n"), start=1):
                hit = None if line.lstrip().startswith((b"#", b"//")) else wanted.search(line)
                if hit is not None:
                    command = hit[0].decode()
                    start = len(line[: hit.start()].decode("utf-8", "replace")) + 1
                    span = Span(file.path, number, start, number, start + len(command))
                    row = rows[command]
                    yield Assigned(row, command, written(True, span), file.path, span)


def _setting(program: Program, value: ir.Expr, row: EnvironmentRow) -> Setting | None:
    values = program.value_of(value)
    span: Span = value.span
    if len(values) == 1 and isinstance(values[0], Items) and row.attributes:
        return written(bool(values[0].items), span)
    if len(values) != 1 or not isinstance(values[0], Const):
        return unknown(f"the value that {(*row.variables, *row.attributes)[0]} is set to", span)
    word = row.values.get(str(values[0].value).strip().lower())
    return None if word is None else written(word, span)


def _written(program: Program, file: SourceFile) -> Iterator[_Written]:
    if file.language in CODE:
        yield from _in_code(program, file.path)
        return
    if _CI.fullmatch(file.path):
        return
    if _SHELL.fullmatch(file.path):
        if not _TESTING.fullmatch(file.path.rpartition("/")[2]):
            yield from _in_shell(file)
        return
    module = program.table.get(file.path)
    for document in module.body if module is not None else ():
        is_whole = file.language is Language.ENV or _VARIABLES.fullmatch(file.path) is not None
        if is_whole and isinstance(document, ir.Map):
            yield from _entries(document)
        else:
            yield from _in_document(document)
            if file.path.rpartition("/")[2] == "package.json":
                yield from _in_scripts(document)


def _in_shell(file: SourceFile) -> Iterator[_Written]:
    """`export X=1`, `X=1 python app.py`, `web: X=1 node .`; comments aside."""
    for number, line in enumerate(file.data.decode("utf-8", "replace").split("\n"), start=1):
        if not line.lstrip().startswith("#"):
            yield from _in_line(line, Span(file.path, number, 1, number, len(line) + 1))


def _in_scripts(document: ir.Node) -> Iterator[_Written]:
    """The scripts of a `package.json`."""
    for name, script in _by_key(_by_key(document).get("scripts")).items():
        if not _TESTING.fullmatch(name):
            yield from _in_line(_text(script), script.span)


def _in_line(text: str, span: Span) -> Iterator[_Written]:
    for found in _SETTING.finditer(text):
        yield _Written(found[1], ir.Literal(span, found[2] or found[3] or found[4] or ""), span)


def _in_document(document: ir.Node) -> Iterator[_Written]:
    """Below keys that hold variables: a mapping, a list of `NAME=value`, a list of names with values."""
    for node in ir.walk(document):
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id == "ENV":
            for argument in node.args:
                if argument.keyword is not None:
                    yield _Written(argument.keyword, argument.value, argument.value.span)
        elif isinstance(node, ir.Map):
            holders = _HOLDERS | {"data"} if _is_config_map(node) else _HOLDERS
            for entry in node.entries:
                if _text(entry.key) in holders:
                    yield from _entries(entry.value)


def _is_config_map(node: ir.Map) -> bool:
    """Kubernetes' own mapping of variables."""
    return any(_text(entry.key) == "kind" and _text(entry.value) == "ConfigMap" for entry in node.entries)


def _entries(holder: ir.Expr) -> Iterator[_Written]:
    if isinstance(holder, ir.Map):
        for entry in holder.entries:
            if name := _text(entry.key):
                inner = _by_key(entry.value).get("value", entry.value)  # Heroku says more of each
                yield _Written(name, inner, inner.span)
    elif isinstance(holder, ir.List):
        for item in holder.items:
            if isinstance(item, ir.Map):
                yield from _named(item)
            elif "=" in (text := _text(item)):
                name, _, value = text.partition("=")
                yield _Written(name, ir.Literal(item.span, value), item.span)


def _named(item: ir.Map) -> Iterator[_Written]:
    """`{name: X, value: v}`, and Render's `key`."""
    by_key = _by_key(item)
    name = _text(by_key.get("name", by_key.get("key")))
    if name and "value" in by_key:
        yield _Written(name, by_key["value"], by_key["value"].span)


def _by_key(node: ir.Node | None) -> dict[str, ir.Expr]:
    return {_text(entry.key): entry.value for entry in node.entries} if isinstance(node, ir.Map) else {}


def _in_code(program: Program, path: str) -> Iterator[_Written]:
    module = next((module for module in program.modules if module.path == path), None)
    if module is None:
        return
    for scope in module.code:
        for store in program.structure(scope).stores:
            if store.value is not None and (name := _variable(program, store.target)):
                yield _Written(name, store.value, store.span)
        for last in _CALLS & program.calls_in(scope).keys():
            for call in program.calls_in(scope)[last]:
                if len(call.args) > 1 and _is_process(program, call.callee) and (name := _text(call.args[0].value)):
                    yield _Written(name, call.args[1].value, call.span)


def _variable(program: Program, target: ir.Expr) -> str:
    """The variable that an element or attribute of the environment is, or the path of a library's attribute."""
    if isinstance(target, ir.Index) and _is(program, target.target, _PROCESS):
        return _text(target.key)
    if not isinstance(target, ir.Member):
        return ""
    if _is(program, target.target, _PROCESS[1:]):
        return target.name
    owners = [value.path for value in program.value_of(target.target) if isinstance(value, Api)]
    return program.library.canonical(f"{owners[0]}.{target.name}") if len(owners) == 1 else ""


def _is_process(program: Program, callee: ir.Expr) -> bool:
    return _is(program, callee, ("py:os.environ.setdefault", "py:os.putenv"))


def _is(program: Program, expr: ir.Expr, paths: tuple[str, ...]) -> bool:
    return any(isinstance(value, Api) and value.path in paths for value in program.value_of(expr))


def _text(expr: ir.Expr | None) -> str:
    return expr.value if isinstance(expr, ir.Literal) and isinstance(expr.value, str) else ""
