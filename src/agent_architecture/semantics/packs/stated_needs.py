"""What a project's prompts and code require, so that no line of advice goes against it: rows of packs name the needs
that they would go against (`against = ["parallel"]`), and hold where none of these is stated.

A need is *said* by a text anywhere in the project (a prompt is seldom in the file of its agent), or *written* in the
code of one file. Where a text is read too broadly, advice in words stands in place of a line of code, and `--fix`
leaves the place alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.packs.stated_texts import said, texts
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile


class Need(NamedTuple):
    """How a project says that it needs something; the words that are sought first are in small letters."""

    said: Sought | None = None
    """By prompts and texts, for all of the project."""
    written: Sought | None = None
    """By code, for its own file."""


NEEDS: Final = {
    "parallel": Need(
        Sought(
            regex(rb"\b(?:in parallel|simultaneously|concurrently|at the same time)\b", re.IGNORECASE),
            (b"in parallel", b"simultaneously", b"concurrently", b"at the same time"),
        ),
        Sought(
            regex(rb"\bparallel_?[tT]ool_?[cC]alls\W{1,3}[tT]rue|\bkickoff\w*_async\b"),
            (b"parallel_tool", b"paralleltool", b"kickoff"),
        ),
    ),
    "whole_conversation": Need(
        Sought(
            regex(
                rb"\b(?:whole|entire|full|complete) (?:conversation|chat|message|dialog(?:ue)?|discussion)\b",
                re.IGNORECASE,
            ),
            (b"whole ", b"entire ", b"full ", b"complete "),
        )
    ),
    "conversation": Need(
        Sought(
            regex(
                rb"\b(?:(?:conversation|chat|message|dialog(?:ue)?) history|(?:previous|earlier|prior|past) "
                rb"(?:messages|turns|conversation|exchanges)|(?:conversation|discussion|messages) (?:so far|above))\b",
                re.IGNORECASE,
            ),
            (b" history", b"previous ", b"earlier ", b"prior ", b"past ", b" so far", b" above"),
        )
    ),
    "delegation": Need(
        Sought(
            regex(
                rb"\b(?:transfer|hand(?:s|ed)?[ -]?(?:off|over|back)|delegate|escalate)s? (?:\S+ ){0,5}to\b",
                re.IGNORECASE,
            ),
            (b"transfer", b"hand", b"delegate", b"escalate"),
        ),
        Sought(regex(rb"\ballow_delegation\W{1,3}True"), (b"allow_delegation",)),
    ),
    "web": Need(
        Sought(
            regex(
                rb"\b(?:search|searches|browse|surf|crawl)(?:es|ing)? (?:the )?(?:web|internet)\b"
                rb"|\bany (?:website|web ?page|site|url|domain)\b",
                re.IGNORECASE,
            ),
            (b" web", b" internet", b"any site", b"any url", b"any domain"),
        ),
        Sought(
            regex(rb"\bnetworkAccessEnabled\W{1,3}true|\bwebSearch(?:Enabled\W{1,3}true|Mode\W{1,4}live)"),
            (b"networkaccessenabled", b"websearch"),
        ),
    ),
    "network_in_sandbox": Need(
        Sought(
            regex(
                rb"\b(?:you|sandbox|it|which|that) (?:do |does )?(?:has|have|with) "
                rb"(?:full )?(?:internet|network) access\b|\bcan (?:access|use) the (?:internet|network)\b"
                rb"|\binstall (?:any |the )?(?:needed |missing |required )?"
                rb"(?:packages|dependencies|libraries)\b",
                re.IGNORECASE,
            ),
            (b"internet access", b"network access", b"the internet", b"the network", b"install "),
        ),
        Sought(
            regex(
                rb"\b(?:allow_?[iI]nternet_?[aA]ccess|network_?[eE]nabled)\W{1,3}[tT]rue|\bpip install|\bnetwork_mode\b"
            ),
            (b"internet", b"network", b"pip install"),
        ),
    ),
    "any_command": Need(
        Sought(
            regex(
                rb"\b(?:any|arbitrary) (?:\w+ )?(?:shell|bash|terminal|system|unix|linux)? ?commands?\b", re.IGNORECASE
            ),
            (b"command",),
        )
    ),
    "streamed": Need(
        written=Sought(
            regex(
                rb"\b(?:stream(?:Text|Events|_events)?|astream\w*|run_stream\w*|stream_text)\("
                rb"|\bstream\W{1,3}[tT]rue|\.(?:textStream|fullStream|text_stream)\b"
                rb"|\bto(?:UIMessage|DataStream|TextStream)\w*\("
            ),
            (b"stream", b"touimessage"),
        )
    ),
    "tools": Need(
        written=Sought(regex(rb"\b(?:tools|sub_agents|subAgents)\s*[=:]"), (b"tools", b"sub_agents", b"subagents"))
    ),
    "optional": Need(
        written=Sought(
            regex(
                rb"\.optional\(|\.default\(|\.record\(|\b[dD]ict\[str, ?Any\]|\*\*kwargs"
                rb"|\badditionalProperties\W{1,4}[tT]rue"
            ),
            (b".optional(", b".default(", b".record(", b"dict[str,", b"**kwargs", b"additionalproperties"),
        )
    ),
    "further_keys": Need(
        written=Sought(
            regex(
                rb"\.passthrough\(|\blooseObject\(|\.loose\(|\.catchall\(|\badditionalProperties\W{1,4}[tT]rue"
                rb"|\bextra\W{1,3}[\"']allow|\*\*kwargs"
            ),
            (
                b".passthrough(",
                b"looseobject(",
                b".loose(",
                b".catchall(",
                b"additionalproperties",
                b"extra",
                b"**kwargs",
            ),
        )
    ),
    "reachable": Need(Sought(regex(rb"(?m)^[ \t]*EXPOSE\b"), (b"expose",))),
}
"""By the word that rows use. `reachable`: a container offers the port; a server on its loopback would answer nobody."""


class Needs:
    """The needs that a project states, each worked out when a row first asks for it."""

    def __init__(self, program: Program) -> None:
        self._files = tuple(texts(program))
        self._containers = tuple(f for f in program.table.files() if f.language is Language.DOCKERFILE)
        self._known: dict[str, frozenset[str] | None] = {}

    def files(self, names: tuple[str, ...]) -> frozenset[str] | None:
        """The files in which a line that goes against these needs does not fit; None for all."""
        found: set[str] = set()
        for name in names:
            if name not in self._known:
                self._known[name] = self._stating(name)
            paths = self._known[name]
            if paths is None:
                return None
            found |= paths
        return frozenset(found)

    def _stating(self, name: str) -> frozenset[str] | None:
        need = NEEDS[name]
        if need.said is not None and any(map(_has(need.said), (*self._files, *self._containers))):
            return None
        if need.written is None:
            return frozenset()
        return frozenset(file.path for file in filter(_has(need.written), self._files))


def _has(wording: Sought) -> Callable[[SourceFile], bool]:
    return lambda file: told(file, _says(wording, is_code=file.language in CODE))


@cache
def _says(wording: Sought, *, is_code: bool) -> Callable[[bytes], bool]:
    """Whether a file says something, by its bytes: the same question each time, which files may remember."""

    def says(data: bytes) -> bool:
        found = said(wording.pattern, data, is_code=is_code) if wording.may_be_in(data.lower()) else ()
        return any(True for _ in found)

    return says
