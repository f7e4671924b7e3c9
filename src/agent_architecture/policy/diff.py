"""From two snapshots what changed: scores, evidence, and the architecture. Pure; what is equal is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agent_architecture.changes import Changes, Gap, Grown, Part, PartKind, ScoreChange
from agent_architecture.contract import contract
from agent_architecture.model.vocabulary import EFFECTS
from agent_architecture.policy.snapshots import Snapshot
from agent_architecture.scoring import SEVERITY_RANK

OWN_AFFAIRS: Final = frozenset({"log", "environment"})
"""Effects that are no reach: a tool that writes a log record can do no more to the world."""
DECIDED: Final = {"not": 0, "partly": 1, "wholly": 2}
"""How much of an effect a model decides; what is unknown is not compared."""
MORE: Final = {1: "and the model decides a part of it", 2: "and the model decides all of it"}

ROUNDED: Final = 1e-4
"""What a saved risk may differ by because its digits end."""


def compare(before: Snapshot, after: Snapshot) -> Changes:
    """What changed from one to the other."""
    known = frozenset(gap.fingerprint for gap in before.gaps) - _worse(before, after)
    kinds = frozenset(PartKind) if before.names_servers and after.names_servers else {*PartKind} - {PartKind.SERVER}
    old, new = ([part for part in side.parts if part.kind in kinds] for side in (before, after))
    return Changes(
        before=before.name,
        after=after.name,
        scores=tuple(_scores(before.values, after.values)),
        new=_without(after.gaps, known),
        fixed=_fixed(before, after),
        added=_more(new, old),
        removed=_more(old, new),
        grown=tuple(_grown(before, after)),
        remarks=tuple(_remarks(before, after)),
        known=known,
    )


def _scores(before: Mapping[str, float], after: Mapping[str, float]) -> Iterator[ScoreChange]:
    keys = contract()
    rises = {scalar.key: scalar.higher_is_better for scalar in keys.scalars}
    rises |= {composite.key: True for composite in keys.composites}
    order = [item.key for group in (keys.composites, keys.scalars, keys.signals) for item in group]
    for key in order:
        old, new = before.get(key), after.get(key)
        if old != new:
            judged = key in rises and old is not None and new is not None
            yield ScoreChange(key, old, new, ((new or 0) > (old or 0)) is rises[key] if judged else None)


def _without(gaps: Sequence[Gap], known: frozenset[str]) -> tuple[Gap, ...]:
    """The gaps that are not known, worst first; those whose line is not known come last of their kind."""
    left = {gap for gap in gaps if gap.fingerprint not in known}
    return tuple(sorted(left, key=lambda gap: (-SEVERITY_RANK[gap.severity], not gap.line, gap.path, gap.line, gap)))


def _worse(before: Snapshot, after: Snapshot) -> frozenset[str]:
    """The fingerprints of gaps whose risk rose: a limit that was too high and is now gone is news, too."""
    risks = {gap.fingerprint: gap.risk for gap in before.gaps}
    return frozenset(
        gap.fingerprint
        for gap in after.gaps
        if gap.risk is not None and (was := risks.get(gap.fingerprint)) is not None and gap.risk > was + ROUNDED
    )


def _fixed(before: Snapshot, after: Snapshot) -> tuple[Gap, ...]:
    """What is gone; nothing where the second report leaves out what the first one tells."""
    if after.left_out and after.left_out != before.left_out:
        return ()
    return _without(before.gaps, frozenset(gap.fingerprint for gap in after.gaps) | after.suppressed)


def _more(parts: Sequence[Part], others: Sequence[Part]) -> tuple[Part, ...]:
    """The parts that `others` do not have, or not so often; where it stands in a file says nothing."""
    left = Counter(part._replace(line=0) for part in others)
    found = []
    for part in parts:
        same = part._replace(line=0)
        if left[same]:
            left[same] -= 1
        else:
            found.append(part)
    return tuple(sorted(found))


def _grown(before: Snapshot, after: Snapshot) -> Iterator[Grown]:
    for tool in sorted(part for part in after.parts if part.kind is PartKind.TOOL):
        same = tool._replace(line=0)
        if same in before.reaches and same in after.reaches:
            more = tuple(_more_reach(before.reaches[same], after.reaches[same]))
            if more:
                yield Grown(tool, more)


def _more_reach(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for kind, shaped in sorted(after.items()):
        does = EFFECTS.get(kind, kind)
        now = DECIDED.get(shaped, 0)
        if kind in OWN_AFFAIRS:
            continue
        if kind not in before:
            yield f"{does}, {MORE[now]}" if now else does
        elif before[kind] in DECIDED and now > DECIDED[before[kind]]:
            yield f"{does}, {MORE[now]}"


def _remarks(before: Snapshot, after: Snapshot) -> Iterator[str]:
    if before.version != after.version:
        yield f"The reports are of different versions of the tool, {before.version} and {after.version}."
    if before.left_out != after.left_out:
        for side, lacks in ((before, "what these leave out counts as new"), (after, "what is fixed is not told")):
            if side.left_out:
                yield f"{side.name} has only what --{' and --'.join(side.left_out)} let through: {lacks}."
    for side in (before, after):
        if not side.applicable:
            yield f"No agent call sites in {side.name}: its scores say nothing."
        if side.incomplete:
            yield f"The report of {side.name} is incomplete."
