"""A real Ray cluster of three machines on loopback, of which one is lost in the middle of a run."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from tests.fleet.fleets import LONG, asked, command, contents, fleet, harm, left_behind, scanned

from agent_architecture.fleet.entries import fleet_of
from agent_architecture.fleet.scanning import Plan, asked_of, scan
from agent_architecture.fleet.store import Store
from agent_architecture.fleet.tasks import Answer, Bounds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARK = "AGENT_ARCHITECTURE_RAY_TEST"
REPOSITORIES = 300
LOST_AFTER = 60
"""Answers after which a machine is killed: enough are left for it to have some in its hands."""
MEMORY = 80 << 20
BOUNDS = Bounds(seconds=300, memory=1000)

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'agent-architecture[ray]'")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the cluster is started on Linux alone")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Three machines with one processor each, on which repositories of certain names do harm."""
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("cluster")
    machine = {"num_cpus": 1, "object_store_memory": MEMORY}
    with pytest.MonkeyPatch.context() as variables:
        for name, value in {**harm(folder), "RAY_USAGE_STATS_ENABLED": "0", MARK: str(folder)}.items():
            variables.setenv(name, value)
        made = Cluster(initialize_head=True, head_node_args={**machine, "include_dashboard": False})
        for _ in range(2):
            made.add_node(**machine)
    try:
        made.wait_for_nodes(LONG)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()
        assert left_behind(f"{MARK}={folder}") == []


def test_a_cluster_that_loses_a_machine_gives_the_same_rows(cluster: Any, tmp_path: Path) -> None:
    from agent_architecture.fleet import on_ray

    root = fleet(tmp_path / "fleet", REPOSITORIES)
    lost: list[int] = []

    def told(answer: Answer, done: int, total: int) -> None:
        assert total == REPOSITORIES
        assert not answer.error
        if done == LOST_AFTER:
            cluster.remove_node(min(cluster.worker_nodes, key=id), allow_graceful=False)
            lost.append(done)

    engine = partial(on_ray.judged, address=cluster.address, memory=BOUNDS.memory)
    with Store(tmp_path / "ray.duckdb") as store:
        done = scan(Plan(fleet_of([str(root)]).entries, asked_of(), BOUNDS), store, engine, told)
    assert lost == [LOST_AFTER]
    assert (done.kept, done.scanned) == (0, REPOSITORIES)

    scanned([root], tmp_path / "local.duckdb", bounds=BOUNDS)
    there, here = contents(tmp_path / "ray.duckdb"), contents(tmp_path / "local.duckdb")
    assert there == here
    names = "SELECT count(*), count(DISTINCT repository) FROM repositories"
    assert asked(tmp_path / "ray.duckdb", names) == [(REPOSITORIES, REPOSITORIES)]
    assert asked(tmp_path / "ray.duckdb", "SELECT count(*) > 100 FROM findings") == [(True,)]


def test_what_hangs_crashes_and_explodes_on_another_machine_is_a_row(cluster: Any, tmp_path: Path) -> None:
    root = fleet(tmp_path / "fleet", 4)
    for name in ("hangs", "crashes", "explodes"):
        (root / name).mkdir()
    done = command(
        "scan", root, "--engine", "ray", "--ray-address", cluster.address, "--timeout", "30", "--memory", "400",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert dict(asked(tmp_path / "fleet.duckdb", "SELECT repository, error FROM repositories")) == {
        **{f"service-{number:03}": "" for number in range(4)},
        "crashes": "its process was ended by SIGSEGV",
        "explodes": "it takes more memory than it may (--memory)",
        "hangs": "it was not done after 30 seconds (--timeout)",
    }


def test_a_task_that_no_machine_can_take_is_said_at_once(cluster: Any, tmp_path: Path) -> None:
    root = fleet(tmp_path / "fleet", 1)
    line = ("--engine", "ray", "--ray-address", cluster.address, "--memory", "9999999")
    done = command("scan", root, *line, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "no machine of the Ray cluster has a processor and 9999999 MB" in done.stderr


def test_without_a_cluster_the_command_says_so(tmp_path: Path) -> None:
    root = fleet(tmp_path / "fleet", 1)
    done = command("scan", root, "--engine", "ray", "--ray-address", "127.0.0.1:1", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "there is no Ray cluster at 127.0.0.1:1" in done.stderr
