"""Secrets that reach nobody: the program signs the tokens of its own users with them, and knows them again by them.

What a library that checks tokens is given elsewhere than in a check may be for somebody else's server: only a secret
that a check is given, too, is one of these.

Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.credentials import CredentialSource
from agent_architecture.semantics.control.presence_tests import is_only_asked
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.credentials.idle import kept, uses
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.credentials.reads import Read

CHECK: Final = "token_check"


def only_signs(context: Context, read: Read) -> bool:
    """Whether all that is done with a secret is to sign tokens and to check those that come back."""
    one = read.credential
    if one.source is not CredentialSource.ENVIRONMENT or one.stand_in:
        return False
    checks = {id(match.node) for match in context.of_kind(CHECK)}
    if not checks:
        return False
    libraries = {_library(match.api.path) for match in context.of_kind(CHECK)}
    calls = [
        call
        for use, scope in _spoken(context, read)
        if not is_only_asked(context.program, use)
        for call in (_given_to(context, use, scope),)
    ]
    return any(call is not None and id(call) in checks for call in calls) and all(
        call is not None and any(_library(api.path) in libraries for api in resolved(context.program, call.callee))
        for call in calls
    )


def _spoken(context: Context, read: Read) -> list[tuple[ir.Node, ir.Scope]]:
    """Where the program speaks of what is read: where it is kept for others, all their places; else the read itself."""
    place = kept(context, read.node, read.scope)
    return [(read.node, read.scope)] if place is None else list(uses(context, *place, read.node))


def _given_to(context: Context, use: ir.Node, scope: ir.Scope) -> ir.Call | None:
    calls = context.program.structure(scope).calls
    return next((call for call in calls if any(argument.value is use for argument in call.args)), None)


def _library(path: str) -> str:
    """The library of an API path, without what is asked of it: `py:jwt` of `py:jwt:decode`."""
    return path.rpartition(":")[0]
