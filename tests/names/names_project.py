"""Small real projects on disk, read, parsed and asked as a scan would."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from agent_architecture.names.exports import Exports, Inline, InModule, Located, WholeModule
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.scopes import Binding
from agent_architecture.names.specifiers import InFolder, InProject, Missing, Specifiers, Target
from agent_architecture.sources.walk import walk
from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.parse import parse


class Opened(NamedTuple):
    """A project as the name layer sees it."""

    table: ModuleTable
    specifiers: Specifiers
    exports: Exports

    def module(self, path: str) -> ir.Module:
        """The module at a path that is there."""
        module = self.table.get(path)
        assert module is not None, f"no {path} in {sorted(self.table.paths)}"
        return module

    def targets(self, path: str, number: int = 0) -> list[str]:
        """What the import with this number in a file can mean, as texts."""
        module = self.module(path)
        _, imp = module.index.imports[number]
        return [target_text(target) for target in self.specifiers.targets(module, imp)]

    def target(self, path: str, number: int = 0) -> str:
        """The likeliest of them."""
        return self.targets(path, number)[0]

    def located(self, path: str, name: str) -> list[str]:
        """Where a name that a module offers is defined, as texts."""
        return [located_text(place) for place in self.exports.locate(self.module(path), name)]


def open_project(folder: Path, files: Mapping[str, str]) -> Opened:
    """Write files, read them as a scan does, and open the name layer on them."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    table = ModuleTable(walk([folder]).files, parse, folder.as_posix())
    specifiers = Specifiers(table)
    return Opened(table, specifiers, Exports(specifiers))


def target_text(target: Target) -> str:
    """`path`, `folder/`, `py:api.path` or `missing`."""
    match target:
        case InProject(path):
            return path
        case InFolder(path):
            return f"{path}/"
        case Missing():
            return "missing"
        case _:
            return target.path


def located_text(place: Located) -> str:
    """`path name`, `path`, `folder/`, an API path, or `path = value`."""
    match place:
        case InModule(module, name):
            return f"{module.path} {name}"
        case WholeModule(module):
            return module.path if "." in module.path else f"{module.path}/"
        case Inline(module, expr):
            return f"{module.path} = {dump(expr)}"
        case _:
            return place.path


def binding_text(binding: Binding) -> str:
    """`kind line` with steps and value: `assign 3 [0] (call f)`."""
    value = "" if binding.value is None else dump(binding.value).splitlines()[0]
    return " ".join(part for part in (binding.kind, str(binding.node.span.line), "".join(binding.steps), value) if part)
