"""Whether the answer to a question can matter: somebody reads it, or the question stops the program by itself.

A question at the terminal whose answer is dropped approves nothing. Must not know what the question is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Text
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.constant_tests import may_raise
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.matching.context import Context

TERMINALS: Final = frozenset({"python-stdlib", "node", "terminal-questions", "terminal-questions-npm"})
"""The packs whose questions answer where they are asked, and do nothing else. Others may stop the run by themselves."""
PAUSING: Final = frozenset({"pause", "getchar", "press_any_key_to_continue"})
"""Questions without an answer: whoever is asked goes on, or ends the program."""
LEAVING: Final = regex(r"\b(?:ctrl|control|abort|cancel|enter|return|any key|stop)\b|\^c", re.IGNORECASE)
"""Words of a text that names the key with which somebody stops, or goes on: it asks for no answer."""


def is_heeded(context: Context, question: ir.Call) -> bool:
    """Whether what is answered to a question, or the question itself, can change what comes after it."""
    structure = context.program.structure(context.program.scope_of(question))
    return not _is_dropped(structure, question) or _stops(context, question)


def _is_dropped(structure: Structure, question: ir.Call) -> bool:
    """Whether nobody reads the answer: the question is a statement, or the name that keeps it stands nowhere else."""
    node: ir.Node = question
    around = structure.parent(node)
    while isinstance(around, ir.Await):
        node, around = around, structure.parent(around)
    if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name) and around.value is node:
        kept = around.target
        read = any(isinstance(n, ir.Name) and n.id == kept.id and n is not kept for n in structure.nodes)
        return not read and not structure.definitions and not isinstance(structure.scope, (ir.Module, ir.Class))
    return structure.is_statement(question)


def _stops(context: Context, question: ir.Call) -> bool:
    """Whether a question that nobody reads the answer of can stop what comes after it."""
    functions = context.program.callees(question)
    if functions:
        return any(may_raise(context.program, function) for function in functions)
    apis = resolved(context.program, question.callee)
    asked = {mark.where.pack for api in apis for mark in context.packs.marks(api.path)}
    if not asked & TERMINALS:
        return True
    aborts = any(a.keyword == "abort" and ir.is_true(a.value) for a in question.args)
    return aborts or callee_name(question.callee) in PAUSING or _names_a_key(context, question)


def _names_a_key(context: Context, question: ir.Call) -> bool:
    values = (value for argument in question.args[:1] for value in context.program.value_of(argument.value))
    texts = (_text(value) for value in values if isinstance(value, (Const, Text)))
    return any(LEAVING.search(text) for text in texts)


def _text(value: Const | Text) -> str:
    if isinstance(value, Const):
        return str(value.value)
    return " ".join(str(part.value) for part in value.parts if isinstance(part, ir.Literal))
