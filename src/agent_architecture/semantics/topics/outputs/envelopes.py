"""Records around what a model wrote, that a program takes apart before it has its text: of an API, of a service's
response, of an agent that is a program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match

BY_HAND: Final = "model-apis"
"""The pack of requests in the form of a model's API, through whatever client."""
PROGRAMS: Final = "agent-programs"
JSON_OPTION: Final = regex(r"--(?:output-format(?:[= ]json)?|json)$")
"""The options by which agents that are programs are asked for a record around the answer: `--output-format json`."""
OPENING: Final = frozenset({"json", "parse", "loads", "load", "read_json"})
"""How the answer to such a request is taken apart."""
BODY: Final = "body"
"""The part of a service's response that holds the record of its API."""


def is_envelope(program: Program, asked: Match, text: ir.Expr, passed: Iterable[ir.Node]) -> bool:
    """Whether what is parsed is such a record, and no calls that its text passed before have opened it."""
    if any(callee_name(node.callee) in OPENING for node in passed if isinstance(node, ir.Call)):
        return False
    pack = asked.row.where.pack
    return pack == BY_HAND or _is_body(program, text) or (pack == PROGRAMS and _asks_json(program, asked.node))


def _asks_json(program: Program, node: ir.Node) -> bool:
    """Whether an option for JSON stands in the code that starts a program."""
    return any(JSON_OPTION.match(str(each.value)) for each in own_nodes(program.scope_of(node), ir.Literal))


def _is_body(program: Program, text: ir.Expr) -> bool:
    """Whether a text is the body of a response: `response["body"].read()`, also under a name."""
    names = (node for node in ir.walk(text) if isinstance(node, ir.Name))
    named = [binding for name in names for binding in visible_bindings(program, name)]
    reads = (*ir.walk(text), *(part for each in named if each.value is not None for part in ir.walk(each.value)))
    taken = {step.lstrip(".") for each in named for step in each.steps}
    return BODY in taken or any((read := part_read(node)) is not None and read.key == BODY for node in reads)
