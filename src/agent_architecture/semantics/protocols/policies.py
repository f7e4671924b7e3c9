"""What files tell coding agents besides their servers: when a person is asked, which tools are allowed, where commands
run, which hooks stand in front of tools.

Rows say which files and keys; a file for each. It says nothing of the project's own agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Guard, GuardStage
from agent_architecture.model.protocols import NO_PARTS, HostConfig, Part, Parts
from agent_architecture.model.settings import ABSENT, Origin, written
from agent_architecture.semantics.matching.documents import entries
from agent_architecture.semantics.matching.properties import InDocument
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

KINDS: Final = ("approval", "tool_set", "sandbox", "guard")


def policies(context: Context) -> Iterator[HostConfig]:
    """What each row of these kinds says of a file, one after the other."""
    for row in context.packs.documents:
        if row.kind in KINDS:
            places: dict[str, list[InDocument]] = {}
            for path, key, node in entries(context, row):
                places.setdefault(path, []).append(InDocument(row, node, key))
            for path, sources in places.items():
                key = sources[0].key
                config = HostConfig((key or sources[0].node).span, path.rpartition("/")[2], row.where.pack)
                said = config
                for source in sources:
                    said = joined(said, _said(config, source))
                if said != config:
                    yield said


def joined(one: HostConfig, other: HostConfig) -> HostConfig:
    """What two places of a file say; the first counts where both say something."""
    return one._replace(
        mode=other.mode if one.mode is ABSENT else one.mode,
        asked=other.asked if one.asked is NO_PARTS else one.asked,
        unasked=other.unasked if one.unasked is NO_PARTS else one.unasked,
        allowed=other.allowed if one.allowed is NO_PARTS else one.allowed,
        denied=other.denied if one.denied is NO_PARTS else one.denied,
        isolation=other.isolation if one.isolation is ABSENT else one.isolation,
        network=other.network if one.network is ABSENT else one.network,
        guards=(*one.guards, *other.guards),
    )


def _said(config: HostConfig, source: InDocument) -> HostConfig:
    match source.row.kind:
        case "approval":
            return config._replace(mode=source.setting("mode"), asked=_listed(source, "applies_to"))
        case "tool_set":
            return config._replace(
                allowed=_listed(source, "allowed"),
                denied=_listed(source, "denied"),
                unasked=_listed(source, "approval"),
            )
        case "sandbox":
            return config._replace(isolation=source.setting("isolation"), network=source.setting("network"))
        case _:
            return config._replace(guards=(_hook(source),) if isinstance(source.node, ir.Map) else ())


def _hook(source: InDocument) -> Guard:
    stage = GuardStage(str(source.setting("stage").value))
    name = str(source.setting("scope").value or "hook")
    opens = source.setting("fails_open")
    blocks = source.setting("blocks").value is not False
    return Guard(
        source.node.span,
        name,
        source.row.where.pack,
        stage,
        blocks,
        parallel=not blocks,
        fails_open=opens.value is True,
    )


def _listed(source: InDocument, name: str) -> Parts:
    """The entries of a list, or of a text that lists them: `Read, Bash(git *)`."""
    parts, text = source.parts(name), source.setting(name)
    if parts.entries or parts.span is None or not isinstance(text.value, str) or parts.complete:
        return parts
    span = parts.span
    return Parts(Origin.WRITTEN, tuple(Part("", written(word, span)) for word in _words(text.value)), span=span)


def _words(text: str) -> Iterator[str]:
    """What commas and blanks outside parentheses separate."""
    word, depth = "", 0
    for sign in text:
        depth = max(0, depth + (sign == "(") - (sign == ")"))
        if depth == 0 and (sign == "," or sign.isspace()):
            if word:
                yield word
            word = ""
        else:
            word += sign
    if word:
        yield word
