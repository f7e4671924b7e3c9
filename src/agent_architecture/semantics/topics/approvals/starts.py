"""Coding agents that are started as a program and told to ask nobody: `claude --dangerously-skip-permissions`.

In texts and lists of arguments of the project's code, and in the lines of scripts and of files that start something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.names.log_calls import says
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.agent_programs import PACK
from agent_architecture.sources.source import Role, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

PROGRAMS: Final = "claude|codex|gemini|aider|cursor-agent|copilot|amp|qwen|opencode|goose|cline|openhands|q"
FLAGS: Final = (
    "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions", "--dangerously-allow-all", "--yolo",
    "--dangerously-bypass-approvals-and-sandbox", "--full-auto", "--yes-always", "--allow-all-tools",
    "--trust-all-tools", "--always-approve",
)  # fmt: skip
"""Options with which these programs ask nobody."""
PAIRS: Final = (
    ("--permission-mode", "bypassPermissions"), ("--approval-mode", "yolo"), ("--ask-for-approval", "never"),
)  # fmt: skip
_WAYS: Final = "|".join((*map(re.escape, FLAGS), *(f"{re.escape(name)}[ =]{value}" for name, value in PAIRS)))
LINE: Final = regex(rf"(?:^|[\s;&|(`'\"=/])(?P<program>{PROGRAMS})\s(?:[^\n;&|]*?\s)?(?P<flag>{_WAYS})(?![\w-])")
WORDS: Final = frozenset({name.encode() for name in (*FLAGS, *(pair[0] for pair in PAIRS))})

STARTING: Final = regex(
    r"(?:.*/)?(?:[\w.-]*Dockerfile[\w.-]*|[\w.-]+\.(?:sh|bash|zsh|ya?ml)|Makefile|Procfile|package\.json|justfile)"
)
ROLES: Final = frozenset({Role.APP, Role.CONFIG, Role.EXAMPLE})
GATHERING: Final = frozenset({"push", "append", "extend", "concat", "unshift", "insert"})
TELLING: Final = frozenset({"success", "write", "add_argument", "option", "Option", "describe"})
"""Calls that only tell of a command, as those of a log do, or declare an option of the project's own."""


def started(context: Context) -> Iterator[Approval]:
    """Every place that starts a coding agent so, but for those whose options were read with the agent itself."""
    known = tuple(_read_with_agents(context))
    for one in _told_so(context):
        if not any(span.contains(one.span) for span in known):
            yield one


def _read_with_agents(context: Context) -> Iterator[Span]:
    """Where agents are started that a row of a program speaks of: the calls, and what the program is given."""
    for match in context.of_kind("agent"):
        if match.row.where.pack == PACK:
            yield match.node.span
            yield from (argument.value.span for argument in match.given)


def _told_so(context: Context) -> Iterator[Approval]:
    program = context.program
    for file in program.table.files():
        if file.role in ROLES and any(word in file.data for word in WORDS):
            module = program.table.get(file.path) if _is_code(program, file.path) else None
            if module is not None:
                yield from _in_module(program, module)
            elif STARTING.fullmatch(file.path):
                yield from _in_lines(file.path, file.data.decode("utf-8", "replace"))


def _is_code(program: Program, path: str) -> bool:
    return any(module.path == path for module in program.modules)


def _in_lines(path: str, text: str) -> Iterator[Approval]:
    for number, line in enumerate(text.split("\n"), start=1):
        hit = None if line.lstrip().startswith(("#", "//")) else LINE.search(line)
        if hit is not None:
            span = Span(path, number, hit.start("program") + 1, number, hit.end() + 1)
            yield _approval(span, hit["program"], hit["flag"])


def _in_module(program: Program, module: ir.Module) -> Iterator[Approval]:
    for scope in module.code:
        nodes = program.structure(scope).nodes
        texts = {node.value for node in nodes if isinstance(node, ir.Literal) and isinstance(node.value, str)}
        for node in nodes:
            flag, name = _flag(node), ""
            if flag and _is_argument(program, scope, node):
                name = next((text for text in sorted(texts) if re.fullmatch(rf"(?:.*/)?(?:{PROGRAMS})", text)), "")
            elif (hit := LINE.search(_text(node))) is not None and not _is_told(program, scope, node):
                flag, name = hit["flag"], hit["program"]
            if flag and name:
                yield _approval(node.span, name, flag)


def _flag(node: ir.Node) -> str:
    """The option that a text alone is."""
    value = node.value if isinstance(node, ir.Literal) else None
    return value if isinstance(value, str) and value in FLAGS else ""


def _text(node: ir.Node) -> str:
    """A text, with what is put into it left out."""
    match node:
        case ir.Literal(value=str() as text):
            return text
        case ir.Template(parts=parts):
            return "".join(p.value if isinstance(p, ir.Literal) and isinstance(p.value, str) else "…" for p in parts)
        case _:
            return ""


def _is_argument(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether a text is one of a list of arguments: an item, or added to one."""
    around = program.structure(scope).parent(node)
    if isinstance(around, ir.Call):
        return callee_name(around.callee) in GATHERING
    return isinstance(around, ir.List) and not _is_told(program, scope, node)


def _is_told(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether a text is only shown to somebody, or part of another text."""
    around = program.structure(scope).ancestors(node)
    return any(isinstance(each, ir.Template) or (isinstance(each, ir.Call) and _tells(each)) for each in around)


def _tells(call: ir.Call) -> bool:
    return says(call) or callee_name(call.callee) in TELLING


def _approval(span: Span, name: str, flag: str) -> Approval:
    what = f"{name} is started with {flag} and asks nobody"
    return Approval(span, name, "", open=True, bypasses=(Bypass(span, BypassKind.OFF, what),))
