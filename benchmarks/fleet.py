"""`fleet scan` over small generated repositories: how many a second, and how much memory the driver takes.

Each figure is a process of its own. The driver's memory is the most that it had, without the processes that scan.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_architecture.fleet.entries import fleet_of
from agent_architecture.fleet.scanning import Plan, asked_of, scan
from agent_architecture.fleet.store import Store
from agent_architecture.fleet.tasks import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ray.cluster_utils import Cluster

    from agent_architecture.fleet.scanning import Engine

AGENT = """\
from agents import Agent, Runner, function_tool


@function_tool
def look_up(order: str) -> str:
    return open(order).read()


agent = Agent(name="Desk {number}", tools=[look_up])


def answer(question: str) -> str:
    return Runner.run_sync(agent, question, max_turns=None).final_output
"""
PLAIN = "def total(values: list[int]) -> int:\n    return sum(values) + {number}\n"
MEGABYTE = 2**20
MEMORY = 1000


def main() -> int:
    """Measure each engine over each number of repositories; print a line of JSON for each."""
    parser = argparse.ArgumentParser(prog="benchmarks/fleet.py", description=__doc__)
    parser.add_argument("--counts", default="100,1000", help="numbers of repositories (default: 100,1000)")
    parser.add_argument("--engines", default="1,2", help="numbers of local processes, or ray (default: 1,2)")
    parser.add_argument("--agents", type=int, default=3, help="each how many repositories one has an agent (default 3)")
    parser.add_argument("--inside", nargs=3, metavar=("ENGINE", "FOLDER", "STORE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(inside(*options.inside)))
        return 0
    for count in map(int, options.counts.split(",")):
        with tempfile.TemporaryDirectory() as place:
            generate(Path(place) / "fleet", count, options.agents)
            for engine in options.engines.split(","):
                measured = outside(engine, Path(place) / "fleet", Path(place) / f"{engine}.duckdb")
                print(json.dumps({"repositories": count, "engine": engine, **measured}), flush=True)
    return 0


def generate(folder: Path, count: int, agents: int) -> None:
    """So many repositories of one or two files."""
    for number in range(count):
        own = folder / f"service-{number:05}"
        own.mkdir(parents=True)
        (own / "code.py").write_text((PLAIN if number % agents else AGENT).format(number=number), "utf-8")
        (own / "pyproject.toml").write_text('[project]\nname = "desk"\ndependencies = ["openai-agents"]\n', "utf-8")


def outside(engine: str, folder: Path, store: Path) -> dict[str, object]:
    """What a process of its own measures; it is run a second time, when nothing has changed."""
    line: Sequence[str] = (sys.executable, __file__, "--inside", engine, str(folder), str(store))
    first, second = (json.loads(subprocess.run(line, check=True, capture_output=True).stdout) for _ in range(2))
    return {**first, "unchanged_a_second": second["a_second"]}


def inside(engine: str, folder: str, store: str) -> dict[str, object]:
    """One run, and what this process took for it."""
    entries = fleet_of([folder]).entries
    cluster, run = engine_of(engine)
    begun = time.perf_counter()
    with Store(Path(store)) as opened:
        scan(Plan(entries, asked_of(), Bounds(memory=MEMORY)), opened, run)
    seconds = time.perf_counter() - begun
    if cluster is not None:
        cluster.shutdown()  # type: ignore[no-untyped-call]
    return {
        "seconds": round(seconds, 1),
        "a_second": round(len(entries) / seconds, 2),
        "driver_cpu_seconds": round(time.process_time(), 1),
        "driver_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE),
        "scanning_cpu_seconds": round(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]), 1),
    }


def engine_of(name: str) -> tuple[Cluster | None, Engine]:
    """A local engine of so many processes, or a Ray cluster of two machines on loopback with one processor each."""
    if name != "ray":
        from agent_architecture.fleet import local

        return None, partial(local.judged, jobs=int(name))
    from ray.cluster_utils import Cluster

    from agent_architecture.fleet import on_ray

    machine: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * MEGABYTE}
    cluster = Cluster(initialize_head=True, head_node_args={**machine, "include_dashboard": False})
    cluster.add_node(**machine)
    cluster.wait_for_nodes()
    return cluster, partial(on_ray.judged, address=cluster.address, memory=MEMORY)


if __name__ == "__main__":
    sys.exit(main())
