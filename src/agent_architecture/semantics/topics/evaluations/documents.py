"""Evaluation suites that configuration files declare, by the document rows of the packs.

A red team in such a file is a suite of its own: another command runs it.
"""

from __future__ import annotations

import posixpath
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from agent_architecture.model.settings import ABSENT, Setting, default, written
from agent_architecture.model.system import EvalSuite
from agent_architecture.semantics.matching.documents import at, first, places
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import DocumentRow


def document_suites(context: Context) -> Iterator[EvalSuite]:
    """The suites of all documents, by path."""
    for row in context.packs.documents:
        if row.kind != "eval_suite":
            continue
        for path, node in places(context, row):
            found = _suite(context, row, path, node)
            if found.dataset or found.scorer:
                yield found
            attack = first(node, row.properties["adversarial"]) if "adversarial" in row.properties else None
            if attack is not None:
                yield EvalSuite(
                    attack.span, "redteam", row.where.pack, dataset=True, scorer=True, adversarial=True, threshold=True
                )


def _suite(context: Context, row: DocumentRow, path: str, node: ir.Node) -> EvalSuite:
    whole = (node, *_other_files(context, row, path, node))
    has_cases = any(_is_there(part, row, "dataset") for part in whole)
    return EvalSuite(
        node.span,
        path.rpartition("/")[2],
        row.where.pack,
        dataset=has_cases,
        # Cases in a file that is no document may carry their assertions with them (a CSV column).
        scorer=any(_is_there(part, row, "scorer") for part in whole) or _is_unread(node, row, len(whole)),
        trajectory=any(_is_like(part, row, "trajectory") for part in whole),
        trials=_trials(row, node),
        threshold=bool(row.constants.get("threshold")) or _is_there(node, row, "threshold"),
        records=f"{row.where.pack} stores it with its case" if row.constants.get("records") else "",
    )


def _is_there(node: ir.Node, row: DocumentRow, name: str) -> bool:
    return name in row.properties and first(node, row.properties[name]) is not None


def _is_unread(node: ir.Node, row: DocumentRow, parts: int) -> bool:
    given = first(node, row.properties["dataset"]) if "dataset" in row.properties else None
    return parts == 1 and isinstance(given, ir.Literal)


def _is_like(node: ir.Node, row: DocumentRow, name: str) -> bool:
    match = row.matches.get(name)
    if match is None:
        return False
    found = [n for steps in match.at.alternatives for n in at(node, steps) if isinstance(n, ir.Literal)]
    return any(fnmatchcase(str(n.value).removeprefix("not-"), pattern) for n in found for pattern in match.patterns)


def _other_files(context: Context, row: DocumentRow, path: str, node: ir.Node) -> Iterator[ir.Map]:
    """The cases of `tests: file://cases.yaml`, as if they stood where that stands."""
    address = row.properties.get("dataset")
    for steps in address.alternatives if address is not None else ():
        for given in at(node, steps) if len(steps) == 1 else ():
            for text in _file_names(given):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), text.removeprefix("file://")))
                module = context.program.table.get(target) if target.endswith((".yaml", ".yml", ".json")) else None
                key = ir.Literal(given.span, str(steps[0]))
                for body in module.body if module is not None else ():
                    if isinstance(body, (ir.Map, ir.List)):
                        yield ir.Map(given.span, (ir.Entry(key, body),))


def _file_names(given: ir.Node) -> Iterator[str]:
    items = given.items if isinstance(given, ir.List) else (given,)
    for item in items:
        if isinstance(item, ir.Literal) and isinstance(item.value, str):
            yield item.value


def _trials(row: DocumentRow, node: ir.Node) -> Setting:
    place = first(node, row.properties["trials"]) if "trials" in row.properties else None
    if isinstance(place, ir.Literal) and isinstance(place.value, (int, float)):
        return written(place.value, place.span)
    entries = row.defaults.get("trials", ())
    return default(entries[-1].value, row.where.pack) if entries else ABSENT
