"""Reads of credentials in programs: from the environment, from stores, from settings classes, and by libraries.

Says where; must not know who uses what is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.credentials import Credential, CredentialSource
from agent_architecture.model.settings import Origin
from agent_architecture.names.lookup import literal_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.whole_environment import environment_in
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.control.presence_tests import is_only_asked
from agent_architecture.semantics.matching.context import dotted, written_as
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.credentials.idle import is_idle
from agent_architecture.semantics.topics.credentials.process_environments import ENV, hands_on
from agent_architecture.semantics.topics.secrets.called import called_secret, is_called_secret
from agent_architecture.semantics.topics.secrets.secrets import (
    PASSWORD,
    PLACE,
    USER,
    is_address,
    is_default,
    is_key,
    is_open,
    is_secret_name,
    is_value,
    is_variable,
    opens,
)
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

ENVIRONMENT: Final = regex(r"(?:^|\.)(?:environ|process\.env|import\.meta\.env|Bun\.env|secrets)$|^(?:\w+\.)?env$")
"""What the variables of a process are called in code."""
ENVIRON: Final = regex(r"environ|process\.env")
READING: Final = frozenset({"getenv", "get", "config", "env"})
HELPER: Final = regex(
    r"^_?(?:get|read|require[d]?|must_?get|load)_?env(?:ironment)?(?:_?var(?:iable)?)?(?:_?or_?(?:throw|raise|fail))?$",
    re.IGNORECASE,
)
"""What functions of projects are called that read the variable whose name they are given."""
MENTIONED: Final = Sought(
    regex(rb"environ|getenv|process\.env|\benv\b|BaseSettings|secrets"), (b"env", b"BaseSettings", b"secrets")
)
"""What a file says that reads the environment, or settings and secrets."""
NAMING: Final = (b"key", b"token", b"secret", b"passw", b"passphrase", b"credential")
"""A part of the name of every credential, in small letters."""
NAMED: Final = regex(rb"_pat\b")
"""And that of one more."""
WRITTEN: Final = regex(
    rb"(?:key|token|secret|passw\w*|credentials?|pat)[\"']?\s*(?::\s*[\w\[\]]+\s*)?[:=]\s*[\w(.]*\s*[\"'`][^\"'`\s]{4,}[\"'`]"
    rb"|[\"'`](?:sk-|ghp_|akia|aiza|hf_|xox|gsk_|glpat-)|://[^\s:/@]+:[^\s@/]+@|scopes?[\"']?\s*[:=]"
)
"""What a file says, in small letters, that may hold a credential, or ask for a scope."""
BROAD: Final = regex(
    r"^\*$|^(?!read[:._-])(?:.*[:._/-])?(?:admin|full[-_]?access|all|root|owner)$|^repo$|/auth/cloud-platform$|^https://mail\.google\.com/?$"
)
"""Scopes that leave nothing out; `read:content.all` only reads."""
FIELDS: Final = frozenset({"Field", "field", "SecretStr"})
"""Calls that give an attribute of a class its default: the first argument, or `default`."""
SPELLING: Final = frozenset({"dumps", "stringify", "dump"})
"""Calls that write all of a mapping down."""
SCOPES: Final = frozenset({"scope", "scopes", "required_scopes", "requiredScopes", "oauth_scopes"})
OWNERS: Final = frozenset({"postgres", "root", "sa", "sys", "system", "sysadmin", "superuser"})
"""The accounts that databases come with, which own all of a server."""
OWNER: Final = "root"
OWNER_PASSWORD: Final = regex(r"(?i)(?:^|_)(?:sudo|root)_?(?:user_?)?(?:password|passwd|pass(?:phrase|word)?|pwd)$")
"""What code calls the password of that account."""
LONGEST: Final = 120


class Read(NamedTuple):
    """A read with the scope that it stands in."""

    credential: Credential
    node: ir.Node
    scope: ir.Scope


def reads(context: Context) -> tuple[Read, ...]:
    """Every read, literal and broad scope in code: a question that is asked once (`Context.once`)."""
    return (
        *(one for one, is_one_idle in context.once(_in_code) if not is_one_idle),
        *_stores(context),
        *_implicit(context),
    )


def unused(context: Context) -> tuple[Read, ...]:
    """The reads of what nothing uses."""
    return tuple(one for one, is_one_idle in context.once(_in_code) if is_one_idle)


def _in_code(context: Context) -> tuple[tuple[Read, bool], ...]:
    """Every read that the code makes itself, and whether nothing uses it."""
    program = context.program
    clients = frozenset(one.credential.symbol.lower() for one in _implicit(context))
    every = (one for module in program.modules for one in program.kept(_in_module, module))
    return tuple((one, _is_idle(context, one, clients)) for one in every)


def _is_idle(context: Context, one: Read, clients: frozenset[str]) -> bool:
    """Whether what is read is kept and used for nothing: not by a library's client of that name either, which reads its
    own variable (`ChatGroq()`).
    """
    owner = one.credential.symbol.lower().partition("_")[0]
    is_read = one.credential.source is CredentialSource.ENVIRONMENT or one.credential.stand_in
    if not is_read or any(owner in client for client in clients):
        return False
    return is_idle(context, one.node, one.scope)


def _in_module(program: Program, module: ir.Module) -> tuple[Read, ...]:
    return tuple(_of_module(program, module))


def _of_module(program: Program, module: ir.Module) -> Iterator[Read]:
    file = program.table.file(module.path)
    if file is None or module.language not in CODE or not (told(file, may_hold) or told(file, MENTIONED.is_in)):
        return
    for scope in (*module.code, *module.index.classes):
        if isinstance(scope, ir.Class) and _is_unused(program, scope):
            continue
        for node in program.structure(scope).nodes:
            found = _of(program, scope, node)
            if found is not None and not _is_asked_for(program, found, node):
                yield Read(found, node, scope)


def _is_asked_for(program: Program, found: Credential, node: ir.Node) -> bool:
    """Whether code only asks if a variable is there."""
    return found.source is CredentialSource.ENVIRONMENT and found.span == node.span and is_only_asked(program, node)


def _is_unused(program: Program, cls: ir.Class) -> bool:
    """Whether a settings class is written and never spoken of: its variables are not read."""
    is_settings = any(callee_name(base) == "BaseSettings" for base in cls.bases)
    asked = (program.scopes_calling, program.import_aliases)
    return is_settings and not any(ask(cls.name) for ask in asked) and not program.mentions(cls)


def may_hold(data: bytes) -> bool:
    """Whether a file may read a credential, or hold one, by its bytes."""
    small = data.lower()
    return (_is_named(small) and MENTIONED.is_in(data)) or WRITTEN.search(small) is not None


def _is_named(small: bytes) -> bool:
    return any(part in small for part in NAMING) or NAMED.search(small) is not None


def _of(program: Program, scope: ir.Scope, node: ir.Node) -> Credential | None:
    match node:
        case ir.Call(callee=callee, args=(first, *_)) if is_reading(callee):
            found = _variable(program, node, callee, first.value)
            given = next((a.value for a in node.args[1:] if a.keyword in {None, "default"}), None)
            return found and _with_default(found, given or _otherwise(program, scope, node))
        case ir.Index(target=target, key=ir.Literal() as key) if ENVIRONMENT.search(written_as(program, target)):
            found = None if _is_set(program, scope, node) else _read(program, node, key)
            return found and _with_default(found, _otherwise(program, scope, node))
        case ir.Index(target=target) if ENVIRONMENT.search(written_as(program, target)):
            return None if _is_set(program, scope, node) else _of_setting(program, node)
        case ir.Member(target=target, name=name) if is_variable(name) and ENVIRONMENT.search(
            written_as(program, target)
        ):
            found = None if _is_set(program, scope, node) else _credential(node, name)
            return found and _with_default(found, _otherwise(program, scope, node))
        case ir.Assign(target=target, value=value):
            return _assigned(scope, node, target, value)
        case ir.Call(args=args):
            whole = _handed_whole(program, node)
            if whole is None and callee_name(node.callee) in SPELLING and args:
                whole = environment_in(program, args[0].value)
            if whole is not None:
                return _all(whole, node)
            return _among(program, [(a.keyword, a.value) for a in args if a.keyword is not None])
        case ir.Map(entries=entries):
            handed = (environment_in(program, entry.value) for entry in entries if _is_env(entry))
            whole = next((found for found in handed if found is not None), None)
            if whole is not None:
                return _all(whole, node)
            return _among(program, [(str(e.key.value), e.value) for e in entries if isinstance(e.key, ir.Literal)])
        case _:
            return None


def _otherwise(program: Program, scope: ir.Scope, node: ir.Expr) -> ir.Expr | None:
    """What is taken where a variable is not set: `process.env.KEY || "text"`."""
    match program.structure(scope).parent(node):
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, other)) if first is node:
            return other
        case _:
            return None


def _with_default(found: Credential, default: ir.Expr | None) -> Credential | None:
    """A read, as a credential that is written where its default is one; none where it is the address of a file."""
    text = default.value if isinstance(default, ir.Literal) else None
    if isinstance(text, str) and is_address(found.symbol) and is_open(text):
        return None
    is_one = isinstance(text, str) and is_default(text, found.symbol)
    if not is_one:
        return found
    is_real = is_key(str(text)) or is_value(str(text), found.symbol)
    return found._replace(source=CredentialSource.WRITTEN, stand_in=not is_real)


def _is_env(entry: ir.Entry) -> bool:
    return isinstance(entry.key, ir.Literal) and entry.key.value == "env"


def _handed_whole(program: Program, call: ir.Call) -> ir.Expr | None:
    """Where a call is given all variables of the process as an environment: by that name, or in that place of one of
    the project's own functions, which hands them on.
    """
    for number, argument in enumerate(call.args):
        if argument.keyword in ENV:
            found = environment_in(program, argument.value)
        elif argument.keyword is None and ENVIRON.search(_shown(argument.value)):
            given = [(f, f.params[number].name) for f in program.callees(call) if number < len(f.params)]
            handed = any(name in ENV and hands_on(program, function, name) for function, name in given)
            found = environment_in(program, argument.value) if handed else None
        else:
            continue
        if found is not None:
            return found
    return None


def _shown(expr: ir.Expr) -> str:
    return " ".join(dotted(node) for node in ir.walk(expr) if isinstance(node, ir.Member))


def _all(found: ir.Expr, node: ir.Node) -> Credential:
    owner = callee_name(node.callee) if isinstance(node, ir.Call) else "a program that is started here"
    return Credential(found.span, "the environment", "", CredentialSource.WHOLE_ENVIRONMENT, owner=owner)


def _variable(program: Program, call: ir.Call, callee: ir.Expr, name: ir.Expr) -> Credential | None:
    """`os.getenv("KEY")`, `environ.get("KEY")`, `config("KEY")`; a literal default is a credential that is written."""
    owner = written_as(program, callee.target) if isinstance(callee, ir.Member) else ""
    asks = callee_name(callee) != "get" or ENVIRONMENT.search(owner) is not None
    if not asks:
        return None
    if isinstance(name, ir.Literal):
        return _read(program, call, name)
    is_variable_s = callee_name(callee) == "getenv" or ENVIRONMENT.search(owner) is not None
    return _of_setting(program, call) if is_variable_s else None


def _of_setting(program: Program, read: ir.Expr) -> Credential | None:
    """A read of a variable that a setting names, kept as a secret: `api_key = os.getenv(model.key_name)`."""
    called = called_secret(program, read)
    return _credential(read, called) if called else None


def is_reading(callee: ir.Expr) -> bool:
    """Whether a call may read a variable, by its name."""
    name = callee_name(callee)
    return name in READING or HELPER.match(name) is not None


def _read(program: Program, node: ir.Expr, key: ir.Literal) -> Credential | None:
    name = key.value
    is_one = isinstance(name, str) and (is_variable(name) or is_called_secret(program, node))
    return _credential(node, str(name)) if is_one else None


def _credential(node: ir.Node, name: str) -> Credential:
    """A read; of the password of who may do everything on a host or server, that account's."""
    if OWNER_PASSWORD.search(name) is not None:
        return Credential(node.span, name, "", CredentialSource.ACCOUNT, broad=OWNER)
    return Credential(node.span, name, "", CredentialSource.ENVIRONMENT)


def _is_set(program: Program, scope: ir.Scope, node: ir.Member | ir.Index) -> bool:
    """Whether it is written there, or only asked for being there."""
    around = program.structure(scope).parent(node)
    return isinstance(around, ir.Assign) and around.target is node


def _assigned(scope: ir.Scope, node: ir.Assign, target: ir.Expr, value: ir.Expr | None) -> Credential | None:
    name = callee_name(target)
    settings = isinstance(scope, ir.Class) and any(callee_name(base) == "BaseSettings" for base in scope.bases)
    if settings and is_variable(name) and not (isinstance(value, ir.Literal) and value.value):
        return _credential(node, name)
    if isinstance(target, ir.Map) and value is not None and ENVIRONMENT.search(dotted(value)):
        named = ((e.key, str(e.key.value)) for e in target.entries if isinstance(e.key, ir.Literal))
        return next((_credential(key, name) for key, name in named if is_variable(name)), None)
    return _literal(name, value) if value is not None else None


def _among(program: Program, given: list[tuple[str, ir.Expr]]) -> Credential | None:
    """The first credential that is written among arguments or entries; a password may be a word beside its account."""
    pairs = [(name, _named(program, name, value)) for name, value in given]
    beside = {name: value.value for name, value in pairs if isinstance(value, ir.Literal)}
    for name, value in pairs:
        found = _literal(name, value)
        if found is None and isinstance(text := beside.get(name), str) and opens(name, text, beside):
            found = Credential(value.span, name, "", CredentialSource.WRITTEN)
        if found is not None:
            return found
    return _of_owner(pairs)


def _named(program: Program, name: str, value: ir.Expr) -> ir.Expr:
    """The text of a variable that does not say itself that it is one of an account."""
    of_account = is_secret_name(name) or PASSWORD.search(name) or USER.search(name) or name in SCOPES
    if not of_account or not isinstance(value, (ir.Name, ir.Member)) or is_secret_name(callee_name(value)):
        return value
    found = literal_of(program, value)
    return found if found is not None and isinstance(found.value, str) and found.value else value


def _of_owner(pairs: list[tuple[str, ir.Expr]]) -> Credential | None:
    """The account by which a connection signs in as who owns the whole server: `user: "postgres"` beside a password,
    also where a variable may name another one.
    """
    names = [name for name, _ in pairs]
    users = (_literally(value) for name, value in pairs if USER.search(name))
    owner = next((user for user in users if user is not None and user.value in OWNERS), None)
    opened = next(((name, value) for name, value in pairs if PASSWORD.search(name)), None)
    if owner is None or opened is None or not any(map(PLACE.search, names)):
        return None
    name, value = opened
    if isinstance(value, ir.Literal):
        return None  # nobody's, or a stand-in
    return Credential(owner.span, name, "", CredentialSource.ACCOUNT, broad=str(owner.value))


def _literally(value: ir.Expr) -> ir.Literal | None:
    """A text that is written, or taken where a variable is not set: `process.env.DB_USER || "root"`."""
    match value:
        case ir.Literal():
            return value
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(*_, ir.Literal() as other)):
            return other
        case ir.Call(callee=callee, args=(_, second)) if is_reading(callee) and isinstance(second.value, ir.Literal):
            return second.value
        case _:
            return None


def _literal(name: str, value: ir.Expr) -> Credential | None:
    """A credential that is written, or a scope that is asked for."""
    if name in SCOPES:
        return _scope(value)
    if isinstance(value, ir.Call) and callee_name(value.callee) in FIELDS:
        given = (a.value for a in value.args[:1] if a.keyword is None)
        named = (a.value for a in value.args if a.keyword == "default")
        return next((found for each in (*given, *named) if (found := _literal(name, each)) is not None), None)
    if not isinstance(value, ir.Literal) or not isinstance(value.value, str):
        return None
    text = value.value
    if is_key(text) or (is_secret_name(name) and " " not in text and len(text) <= LONGEST and is_value(text, name)):
        return Credential(value.span, name, "", CredentialSource.WRITTEN)
    return None


def _scope(value: ir.Expr) -> Credential | None:
    items = value.items if isinstance(value, ir.List) else (value,)
    texts = [item.value for item in items if isinstance(item, ir.Literal) and isinstance(item.value, str)]
    words = [word for text in texts for word in re.split(r"[ ,]+", text) if word]
    broad = next((word for word in words if BROAD.search(word)), "")
    return Credential(value.span, broad, "", CredentialSource.SCOPE, broad=broad) if broad else None


def _stores(context: Context) -> Iterator[Read]:
    for match in context.of_kind("credential"):
        if isinstance(match.node, ir.Call):
            named = effective(context, match, "name")
            name = str(named.value) if isinstance(named.value, str) else context.symbol(match.node)
            found = Credential(match.node.span, name, match.row.where.pack, CredentialSource.STORE)
            yield Read(found, match.node, context.program.scope_of(match.node))


def _implicit(context: Context) -> Iterator[Read]:
    """Clients of models that are given no credential: their library reads one."""
    for match in context.of_kind("model_client"):
        if not isinstance(match.node, ir.Call) or "credential" not in match.row.properties:
            continue
        spread = any(argument.spread for argument in match.given)
        if effective(context, match, "credential").origin is Origin.ABSENT and not spread:
            name = callee_name(match.node.callee)
            found = Credential(match.node.span, name, match.row.where.pack, CredentialSource.LIBRARY, owner=name)
            yield Read(found, match.node, context.program.scope_of(match.node))
