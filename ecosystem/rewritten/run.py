"""`./dev ecosystem --rewritten [PROJECT …]`: whether verdicts depend on how a program is written.

Without projects, the programs are the blocks of the detectors' pages. Every file of a language is rewritten by one
rewriting at a time, all of which keep what the program does, and the verdicts are held beside those of the program as
it was. Python is printed from its syntax tree both times, so that comments and the form of lines make no difference;
JavaScript and TypeScript keep the text around what changes.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import agent_architecture
from ecosystem.record import commit_of
from ecosystem.rewritten import (
    flow,
    modules,
    recorded,
    typescript,
    typescript_flow,
    typescript_functions,
    typescript_modules,
    typescript_parts,
    values,
)
from ecosystem.rewritten.spans import ENDINGS, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.detector import Verdict

Files: TypeAlias = "Mapping[str, str]"
ALONE: Final = (
    values.keywords_spread,
    values.arguments_named,
    values.constants_named,
    values.constants_of_settings,
    values.texts_formatted,
    values.texts_by_percent,
    values.texts_added,
    values.texts_joined,
    values.tables_by_item,
    values.lists_by_append,
    values.tables_called,
    values.results_named,
    values.receivers_named,
    values.ternaries_as_ifs,
    values.comprehensions_as_loops,
    flow.tests_inverted,
    flow.guards_nested,
    flow.elses_left_out,
    flow.counts_as_whiles,
    flow.whiles_as_breaks,
    flow.breaks_as_flags,
    flow.tried,
    flow.calls_taken_out,
    flow.tests_taken_out,
    flow.ends_taken_out,
    flow.loops_taken_out,
    flow.assigned_in_tests,
    flow.calls_not_first,
    modules.imports_by_module,
    modules.imports_renamed,
    modules.imports_inside,
    modules.objects_behind_getters,
    modules.objects_held,
    modules.decorators_called,
    modules.functions_of_classes,
    modules.names_of_locals,
)
WITH_FILES: Final = (modules.imports_handed_on, modules.functions_moved)
OF_TEXT: Final = {
    f"js_{f.__name__}": f
    for part in (typescript, typescript_parts, typescript_flow, typescript_functions, typescript_modules)
    for f in part.ALONE
}
OF_TEXT_WITH_FILES: Final = {f"js_{f.__name__}": f for f in typescript_modules.WITH_FILES}
OF_PYTHON: Final = {f.__name__: f for f in (*ALONE, *WITH_FILES)}
EVERY: Final = (*OF_PYTHON, *OF_TEXT, *OF_TEXT_WITH_FILES)
"""The names of all: those of JavaScript and TypeScript begin with `js_`."""
DOES: Final = {
    name: (change.__doc__ or "").partition("\n")[0]
    for name, change in (*OF_PYTHON.items(), *OF_TEXT.items(), *OF_TEXT_WITH_FILES.items())
}
"""What each does, in a line."""


class Said(NamedTuple):
    """A verdict, places aside."""

    key: str
    outcome: str
    risk: float | None
    ending: str
    """Of the file that it is in."""


class Difference(NamedTuple):
    """What the rewriting of a program lost and what it brought."""

    program: str
    rewriting: str
    lost: tuple[str, ...]
    new: tuple[str, ...]


def rewritten(files: Files, rewriting: str) -> dict[str, str] | None:
    """The files by one rewriting, None where it changes nothing; `""` prints them as they are."""
    out, changed = dict[str, str](), False
    for path, text in files.items():
        if rewriting.startswith("js_") and path.endswith(ENDINGS):
            new, others = _of_text(path, text, rewriting)
            changed = changed or new != text
            out |= {path: new, **others}
            continue
        if not path.endswith(".py"):
            out[path] = text
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            out[path] = text
            continue
        # Names that other files have words for: a rewriting of where an object stands leaves these where they are.
        vars(tree)["asked"] = frozenset(
            word for other, words in files.items() if other != path for word in re.findall(r"\w+", words)
        )
        plain = ast.unparse(tree)
        if rewriting not in OF_PYTHON:
            out[path] = plain
            continue
        change = OF_PYTHON[rewriting]
        added: Mapping[str, ast.Module] = {}
        if change in WITH_FILES:
            added = change(tree, Path(path).stem)
        else:
            change(tree)  # type: ignore[call-arg]
        new = ast.unparse(ast.fix_missing_locations(tree))
        ast.parse(new)
        changed = changed or new != plain
        out[path] = new
        for called, module in added.items():
            where = Path(path).parent / f"{called}.py"
            out[where.as_posix()] = ast.unparse(ast.fix_missing_locations(module))
    return out if changed or not rewriting else None


def _of_text(path: str, text: str, rewriting: str) -> tuple[str, Mapping[str, str]]:
    """A file of JavaScript by one rewriting, with the files that it adds; a tree that has errors stays as it is."""
    ending = Path(path).suffix
    if parsed(text, ending).has_error:
        return text, {}
    with_files = OF_TEXT_WITH_FILES.get(rewriting)
    new, others = with_files(text, ending, path) if with_files else (OF_TEXT[rewriting](text, ending), {})
    if any(parsed(t, ending).has_error for t in (new, *others.values())):
        raise SyntaxError(new)
    return new, others


def said(files: Files, keys: Iterable[str] = ()) -> tuple[tuple[Said, Verdict], ...]:
    """What is said of a project of these files."""
    from agent_architecture import pipeline, registry
    from agent_architecture.config import Config

    folder = Path(tempfile.mkdtemp(prefix="rewritten-"))
    try:
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        walked = pipeline.read_sources([folder], Config())
        packs, versions, program = pipeline.understand_names(walked)
        system = pipeline.understand_agents(walked, packs, versions, program)
    finally:
        shutil.rmtree(folder)
    wanted = frozenset(keys)
    found = list[tuple[Said, "Verdict"]]()
    for judged in registry.judge(registry.load(), system):
        for v in judged.verdicts:
            if not wanted or judged.detector.key in wanted:
                risk = None if v.risk is None else round(v.risk, 2)
                found.append((Said(judged.detector.key, v.outcome.name, risk, Path(v.span.path).suffix), v))
    return tuple(found)


def compare(program: str, files: Files, rewritings: Sequence[str], keys: Iterable[str] = ()) -> Iterator[Difference]:
    """What each rewriting changes."""
    before: tuple[tuple[Said, Verdict], ...] | None = None
    for rewriting in rewritings:
        try:
            changed = rewritten(files, rewriting)
        except SyntaxError as error:
            yield Difference(program, rewriting, (), (f"BROKEN {error}",))
            continue
        if changed is None:
            continue
        before = said(rewritten(files, "") or files, keys) if before is None else before
        after = said(changed, keys)
        yield Difference(program, rewriting, _without(before, after), _without(after, before))


def _without(some: Sequence[tuple[Said, Verdict]], others: Sequence[tuple[Said, Verdict]]) -> tuple[str, ...]:
    left = Counter(s for s, _ in others)
    found = list[str]()
    for one, verdict in some:
        if left[one] > 0:
            left[one] -= 1
        else:
            risk = "" if one.risk is None else f"({one.risk:g})"
            found.append(f"{one.key} {one.outcome}{risk} {verdict.span.path}:{verdict.span.line} {verdict.reason}")
    return tuple(sorted(found))


def _page_programs() -> Iterator[tuple[str, Files, tuple[str, ...]]]:
    root = Path(__file__).resolve().parents[2]
    sys.path.append(str(root / "tests"))
    pages = importlib.import_module("pages")

    found = [(p.path.stem, p) for p in pages.pages_in(root / "src/agent_architecture/detectors", "*/*.md")]
    found += [(p.path.parent.name, p) for p in pages.pages_in(root / "tests/cases", "*/*.md")]
    for key, page in found:
        for section in page.sections:
            blocks = [b for b in section.blocks if b.language not in pages.NO_FILES]
            if any(b.name.endswith((".py", *ENDINGS)) for b in blocks) and not any(
                e.mark for e in pages.expectations(page, section)
            ):
                yield f"{page.path.stem}: {section.name}", {b.name: b.text for b in blocks}, (key,)


def _project(root: Path) -> Files:
    from agent_architecture import pipeline
    from agent_architecture.config import Config

    walked = pipeline.read_sources([root], Config())
    paths = {Path(f.path) for f in (*walked.files, *walked.manifests)}
    files = dict[str, str]()
    for path in sorted(paths):
        try:
            files[path.as_posix()] = (root / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    return files


def _work(job: tuple[str, Files, tuple[str, ...], tuple[str, ...]]) -> list[Difference]:
    from agent_architecture.recursion import with_room

    program, files, keys, rewritings = job
    return with_room(lambda: list(compare(program, files, rewritings, keys)))


def main(arguments: Sequence[str]) -> int:
    """Print what changes, and how often each rewriting does."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --rewritten", description=__doc__)
    parser.add_argument("project", nargs="*", type=Path)
    parser.add_argument("--only", action="append", default=[], choices=sorted(EVERY), metavar="REWRITING")
    parser.add_argument("--pages", default="", help="only pages with this text in their name")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the counts for docs/accuracy.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    rewritings = tuple(options.only or EVERY)
    programs = (
        [(p.name, _project(p), ()) for p in options.project]
        if options.project
        else [one for one in _page_programs() if options.pages in one[0]]
    )
    programs = programs[:: options.every]
    tried, kept = Counter[str](), Counter[str]()
    with ProcessPoolExecutor(options.jobs) as pool:
        for found in pool.map(_work, [(*one, rewritings) for one in programs]):
            for each in found:
                tried[each.rewriting] += 1
                kept[each.rewriting] += not (each.lost or each.new)
                if each.lost or each.new:
                    print(f"{each.rewriting}: {each.program}")
                    for text in each.lost:
                        print(f"  - {text}")
                    for text in each.new:
                        print(f"  + {text}")
    for rewriting in rewritings:
        if tried[rewriting]:
            print(f"{rewriting:28} {kept[rewriting]:5} of {tried[rewriting]:5} programs are judged the same")
    if options.record:
        what = "projects" if options.project else "examples on the pages of the detectors"
        which = f"{len(programs)} {what}" + (f" (every {options.every}th)" if options.every > 1 else "")
        counts = {name: (kept[name], tried[name]) for name in rewritings}
        tool = commit_of(Path(agent_architecture.__file__).resolve().parents[2])
        options.record.write_text(recorded.as_toml(tool, which, counts), encoding="utf-8", newline="\n")
    return 0
