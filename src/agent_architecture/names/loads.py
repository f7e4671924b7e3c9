"""Which files of the project loading a module loads: of the files that an import can mean, the first that has what is
wanted of it.

`select.imports_of` names them all, for who must miss none. Several programs with an `app.agent` each import their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.import_targets import InFolder, InProject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.specifiers import Target
    from agent_architecture.syntax.ir import Module


def loads(program: Program, module: Module) -> frozenset[str]:
    """The project files that a module imports or re-exports, wherever in it that stands."""
    specifiers = program.exports.specifiers
    found = [
        path
        for _, node in module.index.imports
        for path in _meant(program, specifiers.targets(module, node), [name.name for name in node.names])
    ]
    for export in module.index.exports:
        if export.module is not None:
            targets = specifiers.resolve(module.path, module.language, export.module, whole=True)
            found.extend(_meant(program, targets, ()))
    return frozenset(found)


def _meant(program: Program, targets: Sequence[Target], names: Sequence[str]) -> Iterator[str]:
    """The files of the targets up to the first that has all the names, and the submodules among these."""
    for target in targets:
        if isinstance(target, InProject):
            yield target.path
        if isinstance(target, (InProject, InFolder)):
            below = {name: program.exports.specifiers.python.submodule(target, name) for name in names}
            yield from (each.path for each in below.values() if isinstance(each, InProject))
            wanted = [name for name, each in below.items() if each is None]
            if isinstance(target, InProject) and _has(program, target.path, wanted):
                return


def _has(program: Program, path: str, names: Sequence[str]) -> bool:
    """Whether a file has all the names; one that was not parsed is taken to have them."""
    module = program.table.get(path)
    return module is None or "*" in names or program.bindings(module).keys() >= set(names)
