"""The engine of many machines: the same tasks on a Ray cluster. Where they run, and again when a machine is lost, is
Ray's business; each of its workers has a nursery, so that a repository has a process of its own there, too.
"""

from __future__ import annotations

import atexit
import os
import socket
from typing import TYPE_CHECKING, Final

import ray
from ray.exceptions import RayError

from agent_architecture.errors import UsageError
from agent_architecture.fleet.local import Nursery
from agent_architecture.fleet.tasks import MEGABYTE, Answer, Task
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

RETRIES: Final = 5
"""How often Ray runs a task again whose worker or machine was lost."""
AHEAD: Final = 2
"""Tasks in flight for each processor of the cluster: none waits for the driver, and the driver holds few answers."""
SECONDS: Final = 1.0
REACHED_WITHIN: Final = 10.0
"""Seconds in which a cluster answers at all."""

_OWN: list[Nursery] = []
"""The nursery of this worker process."""


def judge(data: bytes, version: str) -> bytes:
    """One task, in a worker: bytes to bytes."""
    task = Task.from_json(data)
    if version != VERSION:
        return Answer(task.name, error=f"the worker has version {VERSION}, the driver {version}").to_json()
    if not _OWN:
        _OWN.append(Nursery())
        atexit.register(_OWN[0].release)
    return _OWN[0].answer(task).to_json()


def judged(tasks: Iterable[Task], address: str, memory: int) -> Generator[Answer]:
    """The answers to all tasks, each as soon as it is there. A task asks for one processor and so many megabytes.

    Raises:
        UsageError: there is no cluster, or no machine of it is large enough.
    """
    own = not ray.is_initialized()
    if own:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        _somebody_there(address)
        try:
            ray.init(address=address or "auto", log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = f"at {address}" if address else "here (--ray-address, or RAY_ADDRESS)"
            raise UsageError(f"there is no Ray cluster {where}: {str(error).partition(chr(10))[0][:200]}") from None
    try:
        _large_enough(memory)
        yield from _in_flight(iter(tasks), memory)
    finally:
        if own:
            ray.shutdown()


def _somebody_there(address: str) -> None:
    """Ray would try for minutes where nobody answers."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED_WITHIN).close()
        except (OSError, OverflowError) as error:
            raise UsageError(f"there is no Ray cluster at {address}: {error}") from None


def _large_enough(memory: int) -> None:
    """Ray would wait for ever for a machine that is not there."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    if not any(node.get("CPU", 0) >= 1 and node.get("memory", 0) >= memory * MEGABYTE for node in nodes):
        raise UsageError(f"no machine of the Ray cluster has a processor and {memory} MB of memory (--memory)")


def _in_flight(tasks: Iterator[Task], memory: int) -> Iterator[Answer]:
    remote = ray.remote(judge).options(
        max_retries=RETRIES, num_cpus=1, memory=memory * MEGABYTE, scheduling_strategy="SPREAD"
    )
    names: dict[ray.ObjectRef[bytes], str] = {}
    try:
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]
            while len(names) < room and (task := next(tasks, None)) is not None:
                names[remote.remote(task.to_json(), VERSION)] = task.name
            if not names:
                return
            done, _ = ray.wait(list(names), num_returns=1, timeout=SECONDS)
            for reference in done:
                yield _answer(reference, names.pop(reference))
    finally:
        for reference in names:
            ray.cancel(reference)


def _answer(reference: ray.ObjectRef[bytes], name: str) -> Answer:
    try:
        return Answer.from_json(ray.get(reference))
    except RayError as error:
        return Answer(name, error=f"Ray lost it: {type(error).__name__}")
