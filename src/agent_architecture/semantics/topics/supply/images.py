"""Dockerfiles and CI workflows: the images and packages that their instructions fetch.

Must not know which of them matter to the agent: the caller says which packages serve it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, Pin
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import at, pairs, words
from agent_architecture.semantics.manifests.install_commands import IMAGE, SCRIPT, installed
from agent_architecture.semantics.manifests.pins import image_pin
from agent_architecture.semantics.topics.supply.unlocked_installs import bare_manifest
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from agent_architecture.semantics.manifests.declared_lines import Entry
    from agent_architecture.semantics.topics.supply.serving import Serving
    from agent_architecture.sources.source import Span

PROPOSED: Final = frozenset({
    "pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment", "issues",
    "issue_comment", "discussion", "discussion_comment", "merge_group",
})  # fmt: skip
"""What people do about changes of a repository."""
_VARIABLE: Final = regex(r"\$\{?(\w+)(?::-([^}]*))?\}?")


def dockerfile_items(
    document: ir.Node, serving: Serving, asked: Callable[[Sequence[str], str], Iterable[Entry]]
) -> Iterator[InstallItem]:
    """What a Dockerfile fetches: base images, images it copies from, scripts, packages that serve agents.

    `asked` says what manifests ask for that were copied, where no lock file was.
    """
    stages: set[str] = {"scratch"}
    copied: list[str] = []
    values: dict[str, str] = {}
    number = 0
    for call in document.items if isinstance(document, ir.List) else ():
        if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Name):
            continue
        texts = _texts(call)
        if call.callee.id == "ARG":
            values.update(
                {a.keyword: str(a.value.value) for a in call.args if a.keyword and isinstance(a.value, ir.Literal)}
            )
        elif call.callee.id == "FROM" and texts:
            if texts[0] not in stages:
                yield _image(call, filled(texts[0], values))
            stages |= {str(number), *texts[2:3]}
            number += 1
            copied = []
        elif call.callee.id in {"COPY", "ADD"}:
            source = next(
                (a.value.value for a in call.args if a.keyword == "from" and isinstance(a.value, ir.Literal)), None
            )
            if source is None:
                copied.extend(texts[:-1])
            elif isinstance(source, str) and source not in stages:
                yield _image(call, filled(source, values))
        elif call.callee.id == "RUN":
            for text in texts or (_exec(call),):
                yield from served_commands(text, call.span, serving)
                manifest = bare_manifest(text)
                for entry in asked(copied, manifest) if manifest else ():
                    if serving.serves(entry.ecosystem, entry.name):
                        yield InstallItem(entry.name, entry.pin, call.span, locked=entry.locked, written=entry.span)


def _texts(call: ir.Call) -> tuple[str, ...]:
    plain = (a.value for a in call.args if a.keyword is None and isinstance(a.value, ir.Literal))
    return tuple(literal.value for literal in plain if isinstance(literal.value, str))


def _exec(call: ir.Call) -> str:
    listed = next((a.value for a in call.args if isinstance(a.value, ir.List)), None)
    return " ".join(str(item.value) for item in (listed.items if listed else ()) if isinstance(item, ir.Literal))


def filled(text: str, values: Mapping[str, str]) -> str:
    """An image's name with the defaults of its arguments; one that has none stays as it is."""
    return _VARIABLE.sub(lambda found: values.get(found[1]) or found[2] or found[0], text[:500])


def _image(call: ir.Call, image: str) -> InstallItem:
    return InstallItem(image, image_pin(image), call.span)


def served_commands(text: str, span: Span, serving: Serving) -> Iterator[InstallItem]:
    """The packages that serve agents and the scripts from the network that a shell text fetches."""
    for found in installed(text):
        serves = found.ecosystem == SCRIPT or serving.serves(found.ecosystem, found.name)
        if found.ecosystem != IMAGE and found.pin is not Pin.UNKNOWN and serves:
            yield InstallItem(found.name, found.pin, span)


def is_for_developers(document: ir.Node) -> bool:
    """Whether a workflow runs only when somebody proposes a change or writes about one: it works on the repository."""
    node = at(document, "on")
    named = [str(key.value) for key, _ in pairs(node)] or [str(word.value) for word in words(node)]
    return bool(named) and set(named) <= PROPOSED


def workflow_items(document: ir.Node, serving: Serving) -> Iterator[InstallItem]:
    """The packages that serve agents and that the steps of a GitHub workflow install by name."""
    for _, job in pairs(at(document, "jobs")):
        steps = at(job, "steps")
        for step in steps.items if isinstance(steps, ir.List) else ():
            run = at(step, "run")
            if isinstance(run, ir.Literal) and isinstance(run.value, str):
                yield from (item for item in served_commands(run.value, run.span, serving) if "://" not in item.name)
