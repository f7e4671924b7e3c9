"""Whose server each client is connected to, and whether what it tells of its tools is compared with earlier answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin
from agent_architecture.model.trust import ServerSource, ServerTrust
from agent_architecture.regexes import regex
from agent_architecture.semantics.protocols.connection import INSIDE
from agent_architecture.semantics.taint.sources import LOOPBACK
from agent_architecture.semantics.topics.trust.definition_checks import Check, checks, listings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.protocols import McpClient
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

CODE: Final = (".py", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".tsx", ".go", ".rs", ".jar", ".sh", ".rb")
GENERIC: Final = frozenset(
    {"main.py", "server.py", "app.py", "index.js", "index.ts", "main.ts", "server.ts", "server.js"}
)
"""Names of files that say nothing of whose they are."""
BUILT: Final = regex(r"(?:^|/)(?:dist|build|out|lib|target|\.next)/")
"""Folders that are not checked in."""
ELSEWHERE: Final = regex(r"^[/~]|^[A-Za-z]:/|(?:^|/)(?:node_modules|site-packages)/")
OUTSIDE: Final = regex(r"(?:^|\s)(?:~|/(?:home|Users|root|mnt|srv|data)|[A-Za-z]:[/\\])[/\\][^\s;&|]+")
"""A place on somebody's machine, where a checkout or a program of theirs lies."""
RUNNING: Final = frozenset({"run", "start", "exec", "--filter", "-m", "compose"})
TOOLS: Final = frozenset(
    {"uv", "npm", "pnpm", "yarn", "bun", "poetry", "hatch", "pdm", "rye", "make", "cargo", "go", "pixi"}
)
"""Programs that run what the project around them defines."""
INTERPRETERS: Final = frozenset(
    {"node", "deno", "python", "python3", "tsx", "ts-node", "npx", "uvx", "sh", "bash", "docker"}
)
PYTHON: Final = regex(r"(?:^|[/:.])(?:python[\d.]*|executable)(?:\.exe)?$")
SHORTEST: Final = 3
"""Shorter names stand in any text."""
MANIFESTS: Final = ("pyproject.toml", "package.json", "setup.cfg", "setup.py", "Cargo.toml", "go.mod")

MAYBE_OWN: Final = frozenset({ServerSource.OWN, ServerSource.UNREAD})
"""What a client connects to may be a server of the project."""


def server_trust(context: Context, clients: tuple[McpClient, ...], servers: Iterable[str]) -> tuple[ServerTrust, ...]:
    """Every client that is not switched off, where it is described; `servers` are the files of the project's own
    servers.
    """
    own, checked = Own(context, servers), checks(context)
    described = {client.name.value for client in clients if client.name.is_known and not _is_name(client)}
    return tuple(
        ServerTrust(
            client.span, client.symbol, client.framework, client, *own.source(client), _check(context, checked, client)
        )
        for client in clients
        if client.disabled.value is not True and not (_is_name(client) and client.name.value in described)
    )


def _is_name(client: McpClient) -> bool:
    """Whether a connection is one by name alone, to a server that is described elsewhere."""
    said = (client.command, client.url, client.transport)
    return client.name.is_known and all(setting.origin is Origin.ABSENT for setting in said)


def _check(context: Context, checked: tuple[Check, ...], client: McpClient) -> Span | None:
    """The comparison in the client's own file, or in one that this file names.

    A connection whose own function asks for the tools needs one that is told of these.
    """
    file = context.program.table.file(client.span.path)
    if file is None or client.configured or not checked:
        return None
    own = listings(context, client.span)
    for check in checked:
        stem = check.span.path.rpartition("/")[2].rpartition(".")[0]
        near = check.span.path == client.span.path or stem.encode() in file.data
        if near and (not own or any(call is listed for call in own for listed in check.listed)):
            return check.span
    return None


def used_servers(context: Context, clients: Iterable[McpClient], servers: Iterable[str]) -> frozenset[str]:
    """The files of the project's own servers that its own programs may connect to: the one that a client starts by its
    file's name, else each one in the same part of the project; also where what a client connects to cannot be read.
    """
    own, found = Own(context, servers), set[str]()
    for client in clients:
        if client.configured or client.disabled.value is True:
            continue
        source, named = own.source(client)
        near = frozenset(own.near(client.span.path)) if source in MAYBE_OWN else frozenset[str]()
        started = {path for path in near if f"/{path}".endswith(f"/{named.rpartition('/')[2]}")}
        found |= started or near
    return frozenset(found)


class Own:
    """What of the project a command or address names."""

    def __init__(self, context: Context, servers: Iterable[str]) -> None:
        self._paths = context.program.table.paths
        self._servers = tuple(servers)
        files = (context.program.table.file(path) for path in self._paths if path.endswith(MANIFESTS))
        self._manifests = b"\n".join(file.data for file in files if file is not None)

    def source(self, client: McpClient) -> tuple[ServerSource, str]:
        """Where a client's server comes from, and what of it was read."""
        if client.pinned.origin is Origin.WRITTEN:
            return ServerSource.FETCHED, client.pinned.source
        for unread in (client.pinned, client.command, client.url):
            if unread.origin is Origin.UNKNOWN:
                return ServerSource.UNREAD, unread.source
        if isinstance(client.command.value, str):
            return self._started(client)
        if client.url.origin is not Origin.ABSENT:
            return self._reached(client)
        if client.transport.values == (INSIDE,):
            return ServerSource.OWN, "in the same process"
        return ServerSource.UNREAD, "what it is connected to, which cannot be read"

    def _reached(self, client: McpClient) -> tuple[ServerSource, str]:
        url = next((str(value) for value in client.url.values if not LOOPBACK.match(str(value))), None)
        if url is not None and re.match(r"(?:https?|wss?)://", url):
            return ServerSource.REMOTE, url.partition("?")[0]
        if url is not None:
            return (ServerSource.OWN, url) if self._is_own(url) else (ServerSource.UNREAD, "an address that is no URL")
        if self.near(client.span.path):
            return ServerSource.OWN, str(client.url.value)
        return ServerSource.INSTALLED, str(client.url.value)

    def _started(self, client: McpClient) -> tuple[ServerSource, str]:
        command = str(client.command.value)
        words = [*command.split(), *(_text(part.value.values) for part in client.arguments.entries)]
        named = next((word for word in words if self._is_own(word)), None)
        if named is not None:
            return ServerSource.OWN, named
        program = words[0].rpartition("/")[2] if words else ""
        if program in TOOLS and any(word in RUNNING for word in words[1:]):
            return ServerSource.OWN, command
        module = words[words.index("-m") + 1] if "-m" in words[:-1] and PYTHON.search(words[0]) else ""
        if module and self._is_module(module):
            return ServerSource.OWN, module
        if program not in TOOLS | INTERPRETERS and self._is_script(program):
            return ServerSource.OWN, program
        if not client.arguments.complete or any(
            part.value.origin is Origin.UNKNOWN for part in client.arguments.entries
        ):
            return ServerSource.UNREAD, "arguments that are only known at run time"
        outside = next((found[0].strip() for word in words[1:] if (found := OUTSIDE.search(word)) is not None), program)
        return ServerSource.INSTALLED, outside

    def _is_own(self, word: str) -> bool:
        """Whether a word names a file of the project, also one that is built later."""
        path = word.replace("\\", "/")
        name = path.rpartition("/")[2]
        if not name.endswith(CODE) and not BUILT.search(path):
            return False
        if not ELSEWHERE.search(path):
            return "/" not in path.removeprefix("./") or BUILT.search(path) is not None or self._lies_here(name)
        known = f"/{path.rpartition('/')[0].rpartition('/')[2]}/{name}" if name in GENERIC else f"/{name}"
        return any(f"/{one}".endswith(known) for one in self._paths) or (
            BUILT.search(path) is not None and bool(self._servers)
        )

    def _lies_here(self, name: str) -> bool:
        """Whether the project has a file of this name, or what it is built from: a placeholder (`path/to/server.py`)
        names none.
        """
        stem = name.rpartition(".")[0]
        return any(one.rpartition("/")[2].rpartition(".")[0] == stem for one in self._paths)

    def near(self, path: str) -> tuple[str, ...]:
        """The project's own servers in the same part of it as a client."""
        folder = _folder(path)
        found = ((one, _folder(one)) for one in self._servers)
        return tuple(one for one, other in found if not folder or not other or folder[0] == other[0])

    def _is_module(self, module: str) -> bool:
        path = module.replace(".", "/")
        return any(
            f"/{one}".endswith((f"/{path}.py", f"/{path}/__main__.py", f"/{path}/__init__.py")) for one in self._paths
        )

    def _is_script(self, program: str) -> bool:
        """Whether a manifest of the project makes a command of this name."""
        return (
            len(program) >= SHORTEST
            and re.search(rb'(?:^|[\s"\'])' + re.escape(program.encode()) + rb'["\']?\s*[=:]\s*["\']', self._manifests)
            is not None
        )


def _folder(path: str) -> list[str]:
    """The folders that a file stands in, without those of editors."""
    return [part for part in path.split("/")[:-1] if not part.startswith(".")]


def _text(values: tuple[object, ...]) -> str:
    return values[0] if values and isinstance(values[0], str) else ""
