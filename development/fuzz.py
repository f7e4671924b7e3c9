"""`./dev fuzz`: damaged files, read by the real pipeline. Nothing may be raised, nothing may hang, and the same files
give the same bytes in a second process with another hash seed, another folder and files made in the opposite order.

    ./dev fuzz [FOLDER…] [--files N] [--seed N] [--first N] [--keep FOLDER] [--examples] [--record FILE] [--one-core]

The files come from checkouts in the given folders, one project each, and from the pages of this repository (all of them
where no folder is given, or with `--examples`). They are damaged by seed (`mutations.py`), fifty at once as a project.
What fails is said with the number of its project, and kept with `--keep`: `--first N --files 50` reads it again.
With `--record` a run that was ended goes on where it was, until N files are in the record (`fuzzed.py`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from fuzzed import Stretch, fingerprint, recorded, written
from mutations import LONGEST, Sample, damaged

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from agent_architecture.detector import Detector

ROOT: Final = Path(__file__).resolve().parents[1]
TOGETHER: Final = 50
"""Damaged files in a project."""
SECONDS: Final = 120.0
"""What a project may take of a processor before it counts as hanging: two seconds a file, many times what any needs."""
STARVED: Final = 30
"""Times as long that a process may take in which it is not let work."""
LOOK: Final = 2.0
"""Seconds after which is looked whether it works."""
LARGEST: Final = 200_000
"""Bytes of a file that is damaged at most: lock files would be most of the bytes."""
ENDINGS: Final = frozenset(
    {".py", ".ipynb", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".json", ".yaml", ".yml", ".toml", ".md", ".mdc",
     ".txt", ".env", ".cfg", ".lock", ".sh", ".jsonc", ""}
)  # fmt: skip
IN_TESTS: Final = ("cases", "decoys", "frameworks", "control", "projects", "loops")
PAGES: Final = ("src/agent_architecture/detectors/*/*.md", *(f"tests/{name}/**/*.md" for name in IN_TESTS))
"""The pages of this repository whose blocks are files of projects."""
IN_MEMORY: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - the folder's name is drawn
"""Where projects are written: no disk, where that can be had."""
EVERY: Final = 20
"""Projects after which a run says and records how far it is."""
SEEDS: Final = ("1", "2")
"""The hash seeds of the two processes."""


class Corpus(NamedTuple):
    """A project whose files are damaged."""

    name: str
    samples: tuple[Sample, ...]


class Said(NamedTuple):
    """What a process said of one project, and how many files it was given."""

    project: int
    digest: str
    problems: tuple[str, ...]
    seconds: float
    files: int = 0


# ------------------------------------------------------------------------------------------------------------- corpora
def corpora(folders: Sequence[Path], *, examples: bool) -> tuple[Corpus, ...]:
    """The projects in the folders, and the pages of this repository, by name; empty ones left out."""
    found = [
        Corpus(folder.name, _samples(folder))
        for parent in folders
        for folder in sorted(parent.iterdir())
        if folder.is_dir()
    ]
    return tuple(corpus for corpus in (*found, *(_pages() if examples else ())) if corpus.samples)


def _samples(folder: Path) -> tuple[Sample, ...]:
    files = [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in ENDINGS and not file.is_symlink() and file.is_file() and file.stat().st_size <= LARGEST
    ]
    return tuple(Sample(file.relative_to(folder).as_posix(), file) for file in files if ".git" not in file.parts)


def _pages() -> Iterator[Corpus]:
    """The examples of the detectors' and the tests' pages: a page is a corpus, a section a folder in it."""
    sys.path.insert(0, str(ROOT / "tests"))
    from pages import pages_in  # type: ignore[import-not-found]

    for pattern in PAGES:
        for page in pages_in(ROOT, pattern):
            yield Corpus(
                page.path.relative_to(ROOT).as_posix(),
                tuple(
                    Sample(f"{number}/{block.name}", block.text.encode("utf-8", "surrogatepass"))
                    for number, section in enumerate(page.sections)
                    for block in section.blocks
                    if block.name
                ),
            )


# ------------------------------------------------------------------------------------------------------------ a project
def project_of(found: Sequence[Corpus], seed: int, number: int) -> tuple[Sample, ...]:
    """The damaged files of one project: neighbours in one corpus, so that they import each other."""
    random = Random(f"{seed}:{number}")  # noqa: S311 - it has to be reproducible, nothing else
    weights = [len(corpus.samples) ** 0.5 for corpus in found]  # there are many pages, and few large projects
    (corpus,) = random.choices(found, weights)
    start = random.randrange(len(corpus.samples))
    chosen = [corpus.samples[(start + at) % len(corpus.samples)] for at in range(min(TOGETHER, len(corpus.samples)))]
    chosen += [random.choice(chosen) for _ in range(TOGETHER - len(chosen))]
    longest = random.choice(LONGEST)
    made: dict[str, bytes] = {}
    for sample in chosen:
        folder, _, name = sample.path.rpartition("/")
        path = sample.path if sample.path not in made else f"{folder}/again{len(made)}/{name}".lstrip("/")
        made[path] = damaged(random, sample, corpus.samples, longest)
    standing = _without_clashes(made)
    return tuple(Sample(path, data) for path, data in made.items() if path in standing)


def write(samples: Sequence[Sample], folder: Path) -> None:
    """The files of a project."""
    folder.mkdir(parents=True)
    for sample in samples:
        file = folder / sample.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(sample.data(max(LONGEST)))


def _without_clashes(paths: Collection[str]) -> set[str]:
    """Those paths that can stand in a folder together: none is a folder of another."""
    folders = {above.as_posix() for path in paths for above in Path(path).parents}
    return {path for path in paths if path not in folders}


def read(folder: Path) -> tuple[str, tuple[str, ...]]:
    """What all formats say of a project, as a digest, and what went wrong: something raised, or a detector failed."""
    from agent_architecture import pipeline
    from agent_architecture.config import Config, DataConfig
    from agent_architecture.render import console, dot, github, json, junit, markdown, mermaid, picture_json, sarif
    from agent_architecture.render.html import page
    from agent_architecture.sources.lines import line_reader

    outcome = pipeline.analyze([folder], Config(data=DataConfig(include_tests=True, include_examples=True)))
    report, source = outcome.report, line_reader(folder, LARGEST)
    said = [
        json.render(outcome, subjects=True),
        console.render(outcome, width=100, color=False, verbose=True, subjects=True, source=source),
        sarif.render(outcome, detectors()),
        markdown.render(outcome),
        github.render(outcome),
        junit.render(outcome),
        page.render(outcome, detectors(), source),
        picture_json.render(report),
        mermaid.render(report, "file"),
        dot.render(report, "file"),
    ]
    digest = hashlib.blake2b("\0".join(said).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    failed = [f"{failure.key} failed: {failure.error}" for failure in report.scores.failed]
    failed += [f"{one.path}: {one.message}" for one in report.notices if "our parser failed" in one.message]
    return digest, tuple(failed)


@cache
def detectors() -> tuple[Detector, ...]:
    """The detectors that some formats describe."""
    from agent_architecture.registry import load

    return load()


# ------------------------------------------------------------------------------------------------------------ processes
def work(flags: argparse.Namespace) -> None:
    """Read the projects whose numbers come on standard input; a line of JSON for each."""
    found = corpora(flags.folders, examples=flags.examples)
    backwards = os.environ["PYTHONHASHSEED"] != SEEDS[0]
    for line in sys.stdin:
        samples = project_of(found, flags.seed, int(line))
        with tempfile.TemporaryDirectory(prefix="fuzz" * (1 + backwards), dir=IN_MEMORY) as place:
            folder = Path(place, "project")
            write(samples[::-1] if backwards else samples, folder)
            start = time.process_time()
            try:
                digest, problems = read(folder)
            except BaseException:  # noqa: BLE001 - whatever it is, it is what this looks for
                digest, problems = "", (traceback.format_exc(limit=-6),)
            print(json.dumps(Said(int(line), digest, problems, time.process_time() - start, len(samples))), flush=True)


def spent(process: int) -> float:
    """The seconds of a processor that a process has had; of time, where the system does not say so."""
    try:
        parts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    """A process with a hash seed, which is begun anew after it hung."""

    def __init__(self, arguments: Sequence[str], seed: str, seconds: float) -> None:
        self._seconds = seconds
        self._command = [sys.executable, str(Path(__file__)), *arguments, "--work"]
        self._environment = {**os.environ, "PYTHONHASHSEED": seed}
        self._answers: queue.Queue[str] = queue.Queue()
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        answers: queue.Queue[str] = queue.Queue()
        self._answers = answers

        def listen() -> None:
            for line in process.stdout or ():
                answers.put(line)
            answers.put("")

        threading.Thread(target=listen, daemon=True).start()
        return process

    def ask(self, project: int) -> None:
        """Give it a project."""
        if self._process.stdin is not None:
            self._process.stdin.write(f"{project}\n")
            self._process.stdin.flush()

    def answer(self, project: int) -> Said:
        """What it says of the project; a problem where it hangs or dies."""
        line = self._line()
        if line:
            number, digest, problems, seconds, files = json.loads(line)
            return Said(number, digest, tuple(problems), seconds, files)
        code = self._process.poll()
        self.end()
        self._process = self._started()
        said = f"no answer within {self._seconds:g} seconds" if code is None else f"the process ended with {code}"
        return Said(project, "", (said,), self._seconds)

    def _line(self) -> str:
        """Its next line; "" where it has ended, or has worked for too long: not where others do not let it work."""
        begun, start = spent(self._process.pid), time.monotonic()
        while True:
            try:
                return self._answers.get(timeout=min(self._seconds, LOOK))
            except queue.Empty:
                worked, passed = spent(self._process.pid) - begun, time.monotonic() - start
                if worked > self._seconds or passed > self._seconds * STARVED:
                    return ""

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def differing(one: Said, other: Said) -> tuple[str, ...]:
    """What is wrong with a project, by what the two processes said of it."""
    problems = tuple(dict.fromkeys((*one.problems, *other.problems)))
    return problems or (() if one.digest == other.digest else ("the second run says something else",))


def asked(workers: Sequence[Worker], project: int, *, in_turn: bool) -> list[Said]:
    """What the two processes say of a project: at the same time, or one after the other."""
    said: list[Said] = []
    for worker in workers:
        worker.ask(project)
        said += [worker.answer(project)] if in_turn else []
    return said or [worker.answer(project) for worker in workers]


def run(flags: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Read so many damaged files twice; how many projects failed."""
    found = corpora(flags.folders, examples=flags.examples)
    before = recorded(flags.record)
    at = Stretch(fingerprint(found), flags.seed, flags.first).going_on(before)
    workers = [Worker(arguments, seed, flags.seconds) for seed in SEEDS]
    start = time.monotonic()
    try:
        while at.files + sum(stretch.files for stretch in before if not at.replaces(stretch)) < flags.files:
            said = asked(workers, at.next, in_turn=flags.one_core)
            problems = differing(*said)
            for problem in problems:
                print(f"project {at.next}: {problem}", flush=True)
            if problems and flags.keep is not None and not (flags.keep / str(at.next)).exists():
                write(project_of(found, flags.seed, at.next), flags.keep / str(at.next))
            at = at.after(said[0].files, max(each.seconds for each in said), failed=bool(problems))
            if (at.next - at.first) % EVERY == 0:
                written(flags.record, before, at)
                print(f"note: {at}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    finally:
        for worker in workers:
            worker.end()
    written(flags.record, before, at)
    print(at)
    return len(at.failed)


def main(arguments: Sequence[str]) -> int:
    """Damage and read; 1 when anything failed."""
    parser = argparse.ArgumentParser(
        prog="./dev fuzz", description="Read damaged files twice: no error, no hang, the same bytes."
    )
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, help="folders whose folders are projects")
    parser.add_argument("--examples", action="store_true", help="the pages of this repository, too")
    parser.add_argument("--files", type=int, default=2000, help="how many damaged files, at least (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="what the damage is drawn by (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first project (default: 0)")
    parser.add_argument("--record", type=Path, help="goes on until N files are in this record")
    parser.add_argument("--one-core", action="store_true", help="ask the two processes one after the other")
    parser.add_argument("--keep", type=Path, help="keep the projects that failed in this folder")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="what a project may take (default: %(default)g)")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    flags = parser.parse_args(arguments)
    flags.examples = flags.examples or not flags.folders
    if flags.work:
        work(flags)
        return 0
    return 1 if run(flags, arguments) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
