"""Images that a Compose file or a Kubernetes manifest starts: the project's own, servers of models, MCP servers, and
services that the project asks by their name over HTTP (a sandbox, a search engine, a store of vectors).

Of the other services (databases, proxies, dashboards) nothing is said: they do not serve the agent. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import at, pairs
from agent_architecture.semantics.manifests.pins import image_pin
from agent_architecture.semantics.topics.supply.images import filled
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.sources.source import SourceFile

COMPOSE: Final = regex(r"(?:docker-|podman-)?compose(?:[._-].*)?\.ya?ml", re.IGNORECASE)
_WORKLOAD: Final = regex(
    rb"^kind:[ \t]*[\"']?(?:Deployment|StatefulSet|DaemonSet|ReplicaSet|Job|CronJob|Pod)\b", re.MULTILINE
)
MODEL_SERVERS: Final = frozenset({
    "ollama", "vllm-openai", "vllm", "litellm", "litellm-database", "text-generation-inference",
    "text-embeddings-inference", "llama.cpp", "llama-cpp-python", "localai", "sglang", "xinference", "tritonserver",
    "infinity", "langgraph-api", "langgraphjs-api", "langgraph-server", "docker-model-runner",
})  # fmt: skip
"""The last part of the names under which servers of models and of graphs are published as images."""
_BUILT: Final = frozenset({"build", "never"})
"""What `pull_policy` says of an image that is not fetched."""
_CONTAINERS: Final = frozenset({"containers", "initContainers"})


def starts_images(file: SourceFile) -> bool:
    """Whether a file is a Compose file or says what a cluster runs."""
    if file.language is not Language.YAML:
        return False
    return COMPOSE.fullmatch(file.path.rpartition("/")[2]) is not None or _WORKLOAD.search(file.data) is not None


def composed_items(
    document: ir.Node, own: frozenset[str], is_asked: Callable[[tuple[str, ...]], bool]
) -> Iterator[InstallItem]:
    """The images of the services and containers of a document that serve an agent; `own` are the project's names,
    `is_asked` says whether the project's code asks a host by one of these names.
    """
    images = [*_services(document), *((literal, ()) for literal in _containers(document))]
    told = b"\n".join(_told(document))
    for literal, names in images:
        image = filled(str(literal.value), {})
        if _serves(image, own) or (names and "/" in image and (is_asked(names) or _address(names).search(told))):
            yield InstallItem(image, image_pin(image), literal.span)


def asks_host(files: Iterable[SourceFile]) -> Callable[[tuple[str, ...]], bool]:
    """What says of the names of a service whether these files hold an HTTP address with one of them as the host."""
    data = tuple(file.data for file in files)

    def is_asked(names: tuple[str, ...]) -> bool:
        address = _address(names)
        return any(address.search(each) is not None for each in data)

    return is_asked


def _address(names: tuple[str, ...]) -> re.Pattern[bytes]:
    """An HTTP address with one of these names as the host."""
    hosts = b"|".join(re.escape(name).encode() for name in names)
    return re.compile(rb"https?://(?:" + hosts + rb")(?![\w.-])")


def _told(document: ir.Node) -> Iterator[bytes]:
    """The texts in the environment of services that are built here: the project's own code is told of others by it."""
    for _, service in pairs(at(document, "services")):
        environment = at(service, "environment") if at(service, "build") is not None else None
        for node in ir.walk(environment) if environment is not None else ():
            if isinstance(node, ir.Literal) and isinstance(node.value, str):
                yield node.value.encode("utf-8", "replace")


def _serves(image: str, own: frozenset[str]) -> bool:
    """Whether an image is the project's own by its name (a name without an owner is built, not fetched), or serves
    models or tools.
    """
    path = image.partition("@")[0]
    owner, _, last = path.rpartition("/")
    name = last.partition(":")[0].lower()
    words = re.split(r"[._-]", name)
    if name in MODEL_SERVERS or "mcp" in words or owner.rpartition("/")[2] == "mcp":
        return bool(owner)
    return bool(owner) and any(name == each or name.startswith(f"{each}-") for each in own)


def _services(document: ir.Node) -> Iterator[tuple[ir.Literal, tuple[str, ...]]]:
    """The images that services fetch, each with the names by which others reach the service."""
    for key, service in pairs(at(document, "services")):
        image, policy, named = at(service, "image"), at(service, "pull_policy"), at(service, "container_name")
        is_built = at(service, "build") is not None
        is_there = isinstance(policy, ir.Literal) and policy.value in _BUILT
        if isinstance(image, ir.Literal) and isinstance(image.value, str) and not is_built and not is_there:
            given = (key, named) if isinstance(named, ir.Literal) else (key,)
            yield image, tuple(str(each.value) for each in given)


def _containers(document: ir.Node) -> Iterator[ir.Literal]:
    """The images of a workload's containers, wherever its template stands."""
    stack = [at(document, "spec")] if at(document, "kind") is not None else []
    while stack:
        node = stack.pop()
        for key, value in pairs(node):
            if key.value in _CONTAINERS and isinstance(value, ir.List):
                images = (at(item, "image") for item in value.items)
                yield from (i for i in images if isinstance(i, ir.Literal) and isinstance(i.value, str))
            elif isinstance(value, ir.Map):
                stack.append(value)
