"""What is known of each file by itself, and may outlast a scan: what other files say plays no part in it.

A table of modules holds it; whoever makes one table after another of the same files hands it on (`session`). A file is
told from another by being another object, and so is a module: one that was parsed anew is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_architecture.names.rests import Rests
from agent_architecture.names.scopes import Splits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agent_architecture.names.lookup import Visible
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding, ScopeIndex
    from agent_architecture.names.session_state import Stores
    from agent_architecture.names.structure import Structure
    from agent_architecture.sources.source import SourceFile
    from agent_architecture.syntax import ir


class Kept:
    """Modules by file, and facts of single modules, by module or by scope."""

    __slots__ = (
        "_apart", "_modules", "_used", "before", "bindings", "calls", "exported", "put", "rests", "scopes", "seen",
        "splits",
        "structures", "uncalled", "visible",
    )  # fmt: skip

    def __init__(self, rests: Rests | None = None) -> None:
        """`rests` notes what answers rest on, where they are kept, too."""
        self.rests = Rests() if rests is None else rests
        self.before: Program | None = None
        """The program of the scan before, where answers are kept."""
        self._modules: dict[SourceFile, ir.Module] = {}
        self._used: dict[SourceFile, ir.Module] = {}
        self._apart: Kept | None = None
        self.structures: dict[ir.Scope, Structure] = {}
        self.splits = Splits()
        self.bindings: dict[ir.Scope, Mapping[str, tuple[Binding, ...]]] = {}
        self.calls: dict[ir.Scope, dict[str, list[ir.Call]]] = {}
        self.exported: dict[ir.Module, Mapping[str, tuple[Binding, ...]]] = {}
        self.scopes: dict[ir.Module, ScopeIndex] = {}
        self.put: dict[ir.Module, Stores] = {}
        self.uncalled: dict[ir.Scope, Mapping[str, Sequence[ir.Name | ir.Member]]] = {}
        self.visible: dict[int, tuple[Visible | None, ir.Name, int]] = {}
        """What names that this scan met refer to, by their ids, and what that rests on beside the module of the name: a
        scan has names of its own, too (`synthetic_nodes`).
        """
        self.seen: dict[int, tuple[Visible | None, ir.Name, int]] = {}
        """The same of the scan before, without modules where a star import may give a name."""

    def module(self, file: SourceFile, parse: Callable[[SourceFile], ir.Module]) -> ir.Module:
        """The module of a file, which is parsed where it is not known."""
        found = self._modules.get(file)
        if found is None:
            found = parse(file)
        self._used[file] = found
        return found

    def use(self, file: SourceFile, module: ir.Module) -> ir.Module:
        """Have this module for a file, which was parsed before."""
        self._used[file] = module
        return module

    def apart(self) -> Kept:
        """The same for a second table of a scan: where that reads a file of this one, it is a module of its own."""
        if self._apart is None:
            self._apart = Kept(self.rests)
        return self._apart

    def next(self) -> None:
        """A scan has ended: forget what it did not use, and what is known of modules that it did not use."""
        self._end(frozenset())
        if self._apart is not None:
            self._apart._end(frozenset(self._modules.values()))  # noqa: SLF001 - of the same class

    def _end(self, others: frozenset[ir.Module]) -> None:
        self._modules, self._used = self._used, {}
        modules = others.union(self._modules.values())
        by_scope: tuple[dict[ir.Scope, Any], ...] = (
            self.structures, self.bindings, self.calls, self.uncalled,
            self.splits.splits, self.splits.whole, self.splits.owned,
        )  # fmt: skip
        for facts in by_scope:
            for scope in [scope for scope in facts if getattr(scope, "module", scope) not in modules]:
                del facts[scope]
        by_module: tuple[dict[ir.Module, Any], ...] = (self.exported, self.scopes, self.put)
        for known in by_module:
            for module in [module for module in known if module not in modules]:
                del known[module]
        starred = {module.path for module, names in self.exported.items() if "*" in names}
        self.seen = {key: known for key, known in self.visible.items() if known[1].span.path not in starred}
        self.visible = {}
