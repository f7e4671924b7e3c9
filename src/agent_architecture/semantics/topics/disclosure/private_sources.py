"""Where a text comes from that should stay where it is: secrets, personal data, what was said.

A `flow.Reader` around that of untrusted texts. What a library makes of a text is no longer that text; a length, an id,
a count of tokens says nothing of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary
from agent_architecture.names import flow
from agent_architecture.names.flow import Origin, Step
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.answers import SAME
from agent_architecture.semantics.conversations.text_provenance import CONTENT
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.redactions import HASHING, redacts, texts_of
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.semantics.matching.context import dotted, written_as
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.access_paths import hands_back
from agent_architecture.semantics.taint.boundaries import names_in
from agent_architecture.semantics.topics.credentials.reads import HELPER
from agent_architecture.semantics.topics.disclosure.settings import Settings
from agent_architecture.semantics.topics.secrets.called import is_called_secret
from agent_architecture.semantics.topics.secrets.secrets import is_secret_name, is_variable
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.conversations.text_provenance import Reading, Said
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.boundaries import Boundaries

REDACTED: Final = "redacted"
CUT: Final = "cut"
"""What a way passes that takes only a part of it: of a key a few signs, of a conversation still sentences."""
EVERYTHING: Final = "the whole environment"
VARIABLE: Final = "variable"
"""What a way passes that takes one variable out of what was made of the environment."""
SECRET: Final = "secret:"  # noqa: S105 - a word before a name
PERSONAL: Final = "personal:"
CONVERSATION: Final = "the conversation"
"""What a graph's state holds of what is said."""

DECODES: Final = regex(r"^(?:jwt_?)?(?:decode|verify|decrypt)(?:_?(?:token|jwt|signature))?$", re.IGNORECASE)
PII: Final = regex(
    r"^(?:ssn|social_?security(?:_?number)?|tax_?(?:id|number)|tin|national_?id|passport(?:_?(?:no|number))?"
    r"|(?:bank_?)?(?:account|routing|iban)_?(?:number|no)|bank_?account|iban|(?:credit_?)?card_?(?:number|no)|credit_?card|cvv"
    r"|date_?of_?birth|birth_?date|dob|driver_?licen[cs]e\w*|medical_?record\w*|diagnosis)$",
    re.IGNORECASE,
)
"""What is nobody's business but that of the person."""
CONTACT: Final = regex(
    r"^(?:e?mail(?:_?address)?|(?:user|customer|contact|home|billing|shipping)_?(?:e?mail|phone|address)"
    r"|(?:from|to|sender|recipient|candidate|patient|employee|attendee|invitee)_?(?:e?mail|phone)|e?mail_?(?:from|to)"
    r"|phone(?:_?number)?|mobile(?:_?number)?|home_?address|street_?address|full_?name|first_?name|last_?name"
    r"|(?:recipient|beneficiary|payee|patient|account_?holder|card_?holder)_?name)$",
    re.IGNORECASE,
)
"""What tells who somebody is: a record should not."""
PERSON: Final = regex(
    r"^(?:current_?)?(?:user|customer|patient|employee|candidate|applicant|person|sender|recipient|payee|student)$",
    re.IGNORECASE,
)
"""What code calls somebody, whose name is a person's."""
MAIL: Final = regex(r"^e?mail$", re.IGNORECASE)
"""What code calls an address, and a whole letter."""
META: Final = regex(
    r"^(?:_?id|ids|uuid|pid|type|kind|mode|name|role|status|model|finish_?reason|stop_?reason|index|size|created|status_?code|status_?text|ok|url"
    r"|(?:current|last)_?(?:step|phase|stage|node|agent)|path|level|timestamp|created_?at|updated_?at|duration\w*|latency\w*|elapsed\w*|cost\w*|version|key|keys|success|error|terminated)$"
    r"|^(?-i:(?:is|has|can|should)(?:_|[A-Z]))\w+$"
    r"|(?:tokens?|usage|(?<!ac)count|length|_ids?|(?-i:Ids?)|_name|_type|_format|_time|_at|_ms|_reason|(?-i:Reason)|metrics|_number|[a-z](?-i:Number))$"
    r"|(?:^|_|(?<=[a-z]))(?-i:[dD]ates?)$"
    r"|(?:city|country|airport|location|station|carrier|airline|currency|lang|language|locale|region|state|area|zip|postal|post|iata|exit|return|error)_?codes?$",
    re.IGNORECASE,
)
"""Parts that say nothing of what was said."""
CHOSEN: Final = regex(r"(?:^|_|(?<=[a-z]))(?:[nN]ame|[pP]ath|[uU]rl|[sS]tatus)$")
"""What parameters are called that name a thing: text, where a model chooses it."""
NAMED: Final = "named"
"""What a way passes that goes through such a parameter."""
COUNTING: Final = regex(
    r"^(?:get_?)?(?:\w+_)?(?:counts?|totals?|length|size)$|[a-z](?:Counts?|Totals?|Length|Size)$|^(?:count|num)(?:_|[A-Z])"
)
"""Calls whose answer is numbers."""
PICKED: Final = "tool"
"""The part of a step or event that names the tool which was picked. A variable of that name may be a whole call."""
LATEST: Final = regex(r"new_?messages(?:_?json)?|all_?messages_?json", re.IGNORECASE)
"""What libraries call the messages of one turn, and the conversation as a text, beside `access_paths.WHOLE`."""
HOLDING: Final = regex(r"(?:Response|Reply|Answer|Message)$")
"""What libraries call their classes whose objects hold what somebody said, as it was given to them."""
INVOKE: Final = frozenset({"invoke", "ainvoke", "arun", "acall", "call_tool", "callTool"})
TOOL: Final = regex(r"(?:^|_|(?<=[a-z]))[Tt]ool$")
ASK: Final = frozenset({"invoke", "ainvoke", "run", "arun", "run_async", "kickoff", "kickoff_async", "ask", "chat"})
AGENT: Final = regex(r"(?:^|_|(?<=[a-z]))(?:[Aa]gent|[Cc]rew|[Cc]hain|llm|LLM)$")
ENVIRONMENT: Final = regex(r"(?:^|\.)(?:os\.)?environ$|^process\.env$")
HANDED: Final = regex(r"(?:^|_)env(?:iron(?:ment)?)?$|Env(?:ironment)?$", re.IGNORECASE)
"""What code calls the environment that it is handed."""
HANDED_ON: Final = regex(r"[:.](?:process[.:]env|os[.:]environ)$")
"""How the path of the environment ends."""
READS: Final = regex(r"(?:^|\.)(?:getenv|environ\.get|env\.get)$|^config$")


class Ways:
    """Says of each expression where its text comes from."""

    def __init__(self, context: Context, reading: Reading, boundaries: Boundaries) -> None:
        self._context = context
        self._reading = reading
        self._boundaries = boundaries
        self._settings = Settings(context)
        self._known: dict[tuple[ir.Expr, bool, bool], Said] = {}

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        """A `flow.Reader`; what it says depends on the same as what the reader of untrusted texts says."""
        key = node, CONTENT in passed, VARIABLE in passed
        if key not in self._known:
            self._known[key] = self._said(node, passed)
        return self._known[key]

    def _said(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        kept = self.kept(node)
        if kept is not None:
            return [] if kept == SECRET + EVERYTHING and VARIABLE in passed else [Origin("name", node, kept)]
        taken = self._settings.variable_at(node) if VARIABLE not in passed else None
        if taken is not None:
            return [Origin("name", node, SECRET + taken)] if is_variable(taken) else VARIABLE
        if isinstance(node, (ir.Index, ir.Member)) and self._reading.replays(node):
            said = self._reading(node, passed)
            return [Origin("name", node, CONVERSATION), *(said if isinstance(said, list) else ())]
        match node:
            case ir.Call(callee=ir.Member(target=target)) if self._hands_over(node, target):
                return [Origin("name", node, CONVERSATION)]
            case ir.Call():
                return self._call(node, passed)
            case ir.Name(id=name) if CHOSEN.search(name) and META.search(name) and self._is_parameter(node):
                return NAMED
            case ir.Member(name=name) | ir.Name(id=name) if META.search(name) and not self._holds_secret(node):
                return []
            case ir.Index(key=ir.Literal(value=str() as key)) if META.search(key) or key == PICKED:
                return []
            case ir.Member(name=name) if name == PICKED:
                return []
            case ir.Index(target=target) | ir.Member(target=target) if self._is_environment(target):
                return []  # a variable that holds no secret
            case ir.Operator(op=ir.Op.POS):
                return []  # a number
            case ir.Index(key=ir.Slice()):
                return CUT
            case ir.Template(parts=parts) if any(self._stands_for_secret(part) for part in parts):
                return None  # not the text that a default makes of it
            case _:
                return self._reading(node, passed)

    def _hands_over(self, node: ir.Call, answer: ir.Expr) -> bool:
        """Whether a call gives all that was said in a run, or in its last turn: `result.all_messages()`."""
        is_asked = hands_back(node) or LATEST.fullmatch(callee_name(node.callee)) is not None
        return is_asked and bool(self._context.made_by(self._context.program.value_of(answer), "run"))

    def _holds_secret(self, node: ir.Expr) -> bool:
        """Whether a name is given a secret, whatever it is called: `key = os.environ["API_KEY"]`."""
        bindings = visible_bindings(self._context.program, node) if isinstance(node, ir.Name) else ()
        kept = (self.kept(binding.value) or "" for binding in bindings if binding.value is not None)
        return any(name.startswith(SECRET) for name in kept)

    def is_handed_in(self, node: ir.Node) -> bool:
        """Whether an expression is a parameter of the function around it, or a part of one."""
        while isinstance(node, (ir.Member, ir.Index)):
            node = node.target
        return isinstance(node, ir.Name) and self._is_parameter(node)

    def _is_parameter(self, node: ir.Name) -> bool:
        scope = self._context.program.scope_of(node)
        params = scope.params if isinstance(scope, ir.Function) else ()
        return any(p.name == node.id if p.pattern is None else node.id in names_in(p.pattern) for p in params)

    def _stands_for_secret(self, part: ir.Expr) -> bool:
        """Whether a part of a text is a secret that has a default: with `KEY ?? ""` the text would be a constant."""
        if not isinstance(part, (ir.Name, ir.Member)) or self.kept(part) is None:
            return False
        return any(end.kind != "constant" for end in flow.ends(self._context.program, part))

    def kept(self, node: ir.Node) -> str | None:
        """The name of a secret or of personal data that an expression reads."""
        match node:
            case ir.Call(callee=callee, args=args) if args and _reads(self._context.program, callee):
                return _secret(args[0].value, named=is_called_secret(self._context.program, node))
            case ir.Index(target=target, key=key) if self._is_environment(target):
                return _secret(key, named=is_called_secret(self._context.program, node))
            case ir.Member(target=target, name=name) if is_variable(name) and self._is_environment(target):
                return SECRET + name
            case ir.Name() | ir.Member() if ENVIRONMENT.search(dotted(node)):
                return SECRET + EVERYTHING
            case ir.Member(name=name) | ir.Name(id=name) if is_secret_name(name) and not name.isupper():
                return SECRET + name
            case ir.Name(id=name) | ir.Member(name=name) if PII.match(name) or CONTACT.match(name):
                return None if MAIL.match(name) and self._is_of_parts(node) else PERSONAL + name
            case ir.Index(key=ir.Literal(value=str() as key)) if PII.match(key) or CONTACT.match(key):
                return PERSONAL + key
            case ir.Member(target=target, name="name") | ir.Index(target=target, key=ir.Literal(value="name")) if (
                PERSON.match(callee_name(target))
            ):
                return f"{PERSONAL}name of {callee_name(target)}"
            case _:
                return None

    def _is_of_parts(self, node: ir.Node) -> bool:
        """Whether code takes a part of something: a letter, whose subject is no address. A text has methods alone."""
        structure = self._context.program.structure(self._context.program.scope_of(node))
        around = structure.parent(node)
        if isinstance(around, ir.Index):
            return around.target is node and isinstance(around.key, ir.Literal) and isinstance(around.key.value, str)
        outer = structure.parent(around) if isinstance(around, ir.Member) else None
        return isinstance(around, ir.Member) and not (isinstance(outer, ir.Call) and outer.callee is around)

    def _is_environment(self, node: ir.Expr) -> bool:
        """Whether an expression is the environment, by its text, or handed in: `read(process.env)`, `env.DESK_KEY`."""
        if ENVIRONMENT.search(written_as(self._context.program, node)):
            return True
        if not isinstance(node, ir.Name) or HANDED.search(node.id) is None:
            return False
        values = self._context.program.value_of(node)
        return any(isinstance(value, Api) and HANDED_ON.search(value.path) for value in values)

    def _call(self, node: ir.Call, passed: frozenset[str]) -> Said:
        name = callee_name(node.callee)
        if name in {"type", "keys"} or COUNTING.search(name) or (name == "getattr" and _takes(node, META)):
            return []  # the names of what is kept are none of it
        if name == "get" and node.args and isinstance(node.args[0].value, ir.Literal):
            key = str(node.args[0].value.value)
            if PII.match(key) or CONTACT.match(key):
                return [Origin("name", node, PERSONAL + key)]
            if META.search(key) or key == PICKED or _is_flag(node):
                return []
        if _reads(self._context.program, node.callee):
            return []
        if redacts(self._context, node):
            return [Step(text, REDACTED) for text in texts_of(node)]
        is_read = "jwt" in dotted(node.callee).lower() and len(node.args) > 1
        if DECODES.match(name) and (is_read or any(_is_secret(argument.value) for argument in node.args[1:])):
            return [Step(node.args[0].value)]  # a token, not the key that it is read with
        if HASHING.match(name) or self._boundaries.at_call(node) is Boundary.SCHEMA_ONLY:
            return []
        said = self._reading(node, passed)
        if said is None and not self._context.program.callees(node):
            same = self._same(node)
            if same:
                return same
            if invokes_tool(node) or invokes_agent(node) or name in RECEIVING:
                return [Origin("call", node)]
            if any(isinstance(value, ClassValue) for value in self._context.program.value_of(node.callee)):
                return None  # an object of the project's own holds what it is given
            given = _results(self._context.program, node)
            if given:
                return given
            acts = bool(kinds_of(self._context, node) - {"environment"})
            holds = HOLDING.search(name) is not None and name[0].isupper()
            return [] if acts or not (holds or SAME.match(name)) else None
        return said

    def _same(self, call: ir.Call) -> list[Step | Origin]:
        """The arguments of a call of a library that gives them back."""
        program, packs = self._context.program, self._context.packs
        ways = (packs.through(api.path) for api in resolved(program, call.callee))
        return [Step(expr) for way in ways if way is not None for expr in expressions(program, call, way)]


def _results(program: Program, call: ir.Call) -> list[Step | Origin]:
    """What the functions return that a call of a library is given to run, and that take nothing: `retry(() => ask(x))`,
    `limit(async () => …)`.
    """
    written = (argument.value for argument in call.args if isinstance(argument.value, ir.Function))
    return [Step(text) for each in written if not each.params for text in program.structure(each).returns]


def _reads(program: Program, callee: ir.Expr) -> bool:
    return READS.search(written_as(program, callee)) is not None or HELPER.match(callee_name(callee)) is not None


def _is_secret(expr: ir.Expr) -> bool:
    return is_secret_name(dotted(expr).rpartition(".")[2])


def _is_flag(call: ir.Call) -> bool:
    """Whether a key is read that is a flag or a number where nothing stands under it: `state.get("ready", False)`."""
    stand_in = call.args[1].value if len(call.args) > 1 else None
    return isinstance(stand_in, ir.Literal) and isinstance(stand_in.value, (bool, int, float))


def _takes(call: ir.Call, names: re.Pattern[str]) -> bool:
    """Whether a call takes a part of something, by its name: `getattr(server, "name", "")`."""
    key = call.args[1].value if len(call.args) > 1 else None
    return isinstance(key, ir.Literal) and names.search(str(key.value)) is not None


def invokes_tool(call: ir.Call) -> bool:
    """Whether a call is the way by which libraries run a tool, of something that is called a tool."""
    return _is_method_of(call, INVOKE, TOOL)


def invokes_agent(call: ir.Call) -> bool:
    """Whether a call is the way by which libraries run an agent, of something that is called one."""
    return _is_method_of(call, ASK, AGENT)


def _is_method_of(call: ir.Call, methods: frozenset[str], names: re.Pattern[str]) -> bool:
    """Whether a call is one of these methods, of an object whose last name is one of these."""
    callee = call.callee
    if not isinstance(callee, ir.Member) or callee.name not in methods:
        return False
    return names.search(dotted(callee.target).rpartition(".")[2]) is not None


def _secret(key: ir.Expr, *, named: bool) -> str | None:
    name = key.value if isinstance(key, ir.Literal) else None
    return SECRET + name if isinstance(name, str) and (named or is_variable(name)) else None
