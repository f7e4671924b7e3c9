"""Which arguments of a tool, or texts of a model, an expression is made of, and what takes their sting out on the way.

Says how much a model decides; what it decides, and whether that is too much, is for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import ParameterKind
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.callgraph.call_paths_in import WAYS, call_paths_in, call_paths_to
from agent_architecture.semantics.callgraph.tool_arguments import ALL, KEEPING, RESOLVING, is_parser, mentioned, taking
from agent_architecture.semantics.effects.effects import RECEIVERS
from agent_architecture.semantics.effects.sanitisers import LINE, bound, cleans
from agent_architecture.semantics.taint.argument_checks import HARMLESS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.effects import Parameter
    from agent_architecture.model.system import Tool
    from agent_architecture.names.flow import Reader
    from agent_architecture.names.flow_paths import Calls, Origin, Step
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow

NAMING: Final = frozenset(
    {"basename", "secure_filename", "secureFilename", "slugify", "sanitize_filename", "sanitizeFilename", "hexdigest"}
    | {"digest", "sha256", "md5", "uuid4", "randomUUID", "mkdtemp", "mkstemp", "gettempdir", "strftime", "parse_obj"}
)
"""Calls that make a name of a text which leads nowhere else."""
LEADING_NOWHERE: Final = HARMLESS | NAMING
ANSWERING: Final = frozenset({
    "network_read", "network_write", "database", "database_read", "read_file", "execute_shell", "execute_process",
    "execute_code", "browser",
})  # fmt: skip
"""Effects whose result is no longer what the model wrote."""
READING: Final = frozenset(
    {"get", "pop", "parse", "loads", "model_validate", "validate", "AnyUrl", "HttpUrl", "urlunparse"}
)
"""Calls that give what stands in an object, or make an object of a text."""
JOINED: Final = "joined"
UNCLEANED: Final = "uncleaned"
"""Under what is remembered where an expression begins, whatever cleans it on the way."""
REPLACING: Final = frozenset({"sub", "replace", "replaceAll"})
OTHERS: Final = "[^"
"""How a pattern begins that takes out all characters but some."""


class Shaping:
    """What of one body of code a model writes."""

    def __init__(self, context: Context, effects: Effects, tool: Tool, body: Body) -> None:
        self.program = context.program
        self._context = context
        self._effects = effects
        visible = frozenset(parameter.name for parameter in tool.schema.parameters)
        known = taking(body, visible) if visible else body
        names = known.names & visible if visible and known.names else known.names - frozenset(RECEIVERS)
        self.body = known._replace(names=names)
        self._whole = body.statements == tuple(body.function.body)
        self._any = not known.names
        """Whether the arguments come in one object, whatever it is called."""
        numbers = (p for p in tool.schema.parameters if _is_number(p))
        self._plain = frozenset(parameter.name for parameter in numbers)
        """Numbers."""

    def arguments(self, expr: ir.Expr, effect: str = "") -> frozenset[str]:
        """The arguments that an expression is made of, `ALL` where that may be any; those behind a call that cleans for
        an effect, and what the outside answered to a call that was given them, are none. Of a command line only a
        quoted word is clean, not the last part of a path.
        """
        found: set[str] = set()

        def reader(node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:
            del passed
            if isinstance(node, ir.Member) and effect != LINE and self._is_last_part(node):
                return ()
            if effect and cleans(self._context, node, effect):
                return ()
            if effect and (parts := bound(self._context, node, effect)) is not None:
                return tuple(map(flow.Step, parts))
            return () if isinstance(node, ir.Call) and self._ends(node, effect) else None

        for origin in self._begun(expr, reader, effect):
            if self._is_models(origin):
                found.add(origin.name if origin.kind == "parameter" else ALL)
        if not found:
            return frozenset()
        named = mentioned(self.program, self.body, expr) - {ALL, *RECEIVERS}
        return frozenset(found if found <= self.body.names else named or {ALL}) - self._plain

    def enters(self, expr: ir.Expr) -> bool:
        """Whether anything that a model wrote is in an expression, harmless as it may have been made."""

        def reader(node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:
            del passed
            return () if isinstance(node, ir.Call) and self._is_answered(node) else None

        return any(self._is_models(origin) for origin in self._begun(expr, reader, UNCLEANED))

    def chooses(self, expr: ir.Expr) -> bool:
        """Whether an expression is what a model wrote as it is: not part of a longer text, not made of it."""

        def reader(node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | str | None:
            del passed
            if isinstance(node, ir.Call) and self._ends(node, ""):
                return ()
            return JOINED if self._joins(node) else None

        return any(JOINED not in origin.passed for origin in self._begun(expr, reader) if self._is_models(origin))

    def _begun(self, expr: ir.Expr, reader: Reader, effect: str | None = None) -> tuple[Origin, ...]:
        """The origins that may be a model's in some tool, remembered: many tools have an effect by one call. The reader
        knows no tool, and differs by what cleans. What one branch of a dispatcher does comes through that branch.
        """
        if not self._whole:
            return self._begun_on(expr, reader, effect, self._ways_to(expr))
        found = self._begun_on(expr, reader, effect, ())
        if any(map(self._is_models, found)) and self.program.scope_of(expr) is not self.body.function:
            entered = self._ways_to(expr)  # by what other tools hand in, it may be theirs
            return self._begun_on(expr, reader, effect, entered) if len(entered) < WAYS else found
        return found

    def _ways_to(self, expr: ir.Expr) -> tuple[Calls, ...]:
        return call_paths_to(self.program, call_paths_in(self.program, self.body.statements), expr)

    def _begun_on(
        self, expr: ir.Expr, reader: Reader, effect: str | None, entered: tuple[Calls, ...]
    ) -> tuple[Origin, ...]:
        found: list[Origin] = []
        for calls in entered or ((),):
            known = self._effects.written.get((effect, expr, calls))
            if known is None:
                begun = flow.origins(self.program, expr, reader, calls)
                known = self._effects.written[effect, expr, calls] = tuple(filter(self._may_be_models, begun))
            found += known
        return tuple(found)

    def _may_be_models(self, origin: Origin) -> bool:
        if origin.kind == "parameter":
            return origin.name not in RECEIVERS
        is_parsed = isinstance(origin.node, ir.Call) and is_parser(origin.node)
        return origin.kind == "call" and (is_parsed or self._is_answer(origin.node))

    def _is_models(self, origin: Origin) -> bool:
        """Whether a model wrote what begins at an origin, and it comes through this body, not another tool's branch."""
        if not self._whole and not any(s.span.contains(at) for s in self.body.statements for at in origin.trail):
            return False
        if origin.kind == "parameter":
            return origin.node is self.body.function and self._is_own(origin.name)
        return origin.kind == "call" and isinstance(origin.node, ir.Call) and self._is_written(origin.node)

    def _joins(self, node: ir.Expr) -> bool:
        match node:
            case ir.Template(parts=parts):
                return len(parts) > 1
            case ir.Operator(op=ir.Op.ADD | ir.Op.MOD | ir.Op.DIV):
                return True
            case ir.Call(callee=callee) if callee_name(callee) not in KEEPING | READING:
                return any(isinstance(value, Api) for value in self.program.value_of(callee))
            case _:
                return False

    def _is_own(self, name: str) -> bool:
        if name in RECEIVERS:
            return False
        taken_apart = any(p.name == name and p.pattern is not None for p in self.body.function.params[:1])
        return self._any or taken_apart or name in self.body.names

    def _is_written(self, call: ir.Call) -> bool:
        """Whether a call gives what a model wrote: its arguments out of a text, or an answer of its own."""
        inside = self.body.function.span.contains(call.span)
        return (is_parser(call) and inside) or self._is_answer(call)

    def _is_answer(self, node: ir.Node) -> bool:
        return self._context.at(node, "model_call", "run") is not None

    def _is_last_part(self, node: ir.Member) -> bool:
        """Whether a member is the last part of a path: `Path(name).name`."""
        if node.name not in {"name", "stem", "suffix"}:
            return False
        if isinstance(node.target, ir.Call) and callee_name(node.target.callee) in {"Path", "PurePath"}:
            return True
        values = self.program.value_of(node.target)
        return any(isinstance(value, Api) and value.path.startswith("py:pathlib:") for value in values)

    def _ends(self, call: ir.Call, effect: str) -> bool:
        name = callee_name(call.callee)
        if effect != LINE and (name in LEADING_NOWHERE or _takes_out(call, name)):
            return True
        return self._is_answered(call)

    def _is_answered(self, call: ir.Call) -> bool:
        """Whether the outside answers a call."""
        if RESOLVING.search(callee_name(call.callee)) or self._is_answer(call):
            return False
        return is_answered(self._effects.rows(call))


def _is_number(parameter: Parameter) -> bool:
    """Whether an argument is a number, also one that the tool's own code holds to bounds."""
    is_held = parameter.kind is ParameterKind.BOUNDED and parameter.asked and not parameter.words
    return not parameter.text and (parameter.kind is ParameterKind.FREE or is_held)


def is_answered(rows: Iterable[tuple[EffectRow, object]]) -> bool:
    """Whether a call that does this is answered by somebody else than a model, by what rows say of it."""
    return any(row.effect in ANSWERING for row, _ in rows)


def _takes_out(call: ir.Call, name: str) -> bool:
    """Whether a call replaces all characters but some."""
    texts = (n.value for a in call.args for n in ir.walk(a.value) if isinstance(n, ir.Literal))
    return name in REPLACING and any(isinstance(text, str) and OTHERS in text for text in texts)
