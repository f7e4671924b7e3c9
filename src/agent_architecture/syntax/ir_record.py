"""What every IR node that is no scope is made as (see `ir`; only the modules of its nodes import this one).

A node is a `NamedTuple` when it runs: a program has millions of nodes, and a tuple costs less to make than a frozen
dataclass. A type checker sees a frozen class of its own instead: to compare unions of forty tuples it compares what
they hold, part by part (mypy 2.4 took eleven minutes for this code base, and takes half a minute now).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from typing import Self, dataclass_transform

    @dataclass_transform(frozen_default=True, eq_default=False)
    class Record:
        """A frozen class with the fields that are annotated in it."""

        _fields: tuple[str, ...]

        def __getitem__(self, position: int) -> object: ...
        def _replace(self, **changes: object) -> Self: ...

else:
    Record = NamedTuple
