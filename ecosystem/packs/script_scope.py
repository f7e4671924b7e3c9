"""What a name means in declaration files: through imports and re-exports to what is declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from ecosystem.packs.declarations import ALL, DEFAULT, Block, Declared, From
from ecosystem.packs.npm_packages import NpmPackages

_DEPTH: Final = 30


class Space(NamedTuple):
    """A module or namespace itself."""

    block: Block


Meant: TypeAlias = "Declared | Space"


class ScriptScope:
    """Names of unpacked packages."""

    def __init__(self, packages: NpmPackages) -> None:
        self.packages = packages
        self._open: set[tuple[int, str]] = set()

    def module(self, specifier: str, importer: Block | None = None) -> tuple[Block, ...]:
        """The blocks that a specifier means."""
        return self.packages.blocks_of(specifier, importer.file if importer else None)

    def exported(self, block: Block, name: str) -> tuple[Meant, ...]:
        """What a module gives under a name: declarations of one name are one thing."""
        key = (id(block), name)
        if key in self._open or len(self._open) > _DEPTH:
            return ()
        self._open.add(key)
        try:
            return tuple(self._exported(block, name))
        finally:
            self._open.discard(key)

    def _exported(self, block: Block, name: str) -> Iterator[Meant]:
        target = block.exported.get(name)
        if isinstance(target, From):
            yield from self.taken(block, target)
            return
        if isinstance(target, Declared):
            yield target
            return
        if target is not None:
            yield from self.meant(block, target)
            return
        if block.whole is not None:
            yield from self._of_whole(block, block.whole, name)
            return
        if block.gives_all() and (name in block.declared or name in block.spaces or name in block.renamed):
            yield from self.meant(block, name)
            return
        for specifier in block.stars:
            if name == DEFAULT:
                break
            for other in self.module(specifier, block):
                found = self.exported(other, name)
                if found:
                    yield from found
                    return
        yield from self._in_default(block, name)

    def _of_whole(self, block: Block, whole: str, name: str) -> Iterator[Meant]:
        """`export = X`: X is the module and its default, and the members of the namespace X are its names."""
        meant = self._dotted(block, tuple(whole.split(".")))
        if name == DEFAULT:
            inner = [found for one in meant if isinstance(one, Space) for found in self.exported(one.block, DEFAULT)]
            yield from inner or meant
            return
        for one in meant:
            if isinstance(one, Space):
                yield from self.exported(one.block, name)

    def _in_default(self, block: Block, name: str) -> Iterator[Meant]:
        """CommonJS: a name of the object or of what `module.exports` is."""
        if name == DEFAULT or block.file.suffix not in {".js", ".cjs"}:
            return
        target = block.exported.get(DEFAULT)
        if isinstance(target, From):
            for other in self.module(target.specifier, block):
                yield from self.exported(other, name)

    def taken(self, block: Block, target: From) -> Iterator[Meant]:
        """What an import or re-export leads to."""
        for other in self.module(target.specifier, block):
            if target.name == ALL:
                yield Space(other)
            else:
                yield from self.exported(other, target.name)

    def meant(self, block: Block, name: str) -> tuple[Meant, ...]:
        """What a name means in a block: its own declarations and imports, else those of the blocks around it."""
        around: Block | None = block
        while around is not None:
            found: list[Meant] = [*around.declared.get(name, ())]
            found += [Space(inner) for inner in around.spaces.get(name, ())]
            if name in around.imported:
                found += self.taken(around, around.imported[name])
            if name in around.renamed and (id(around), name) not in self._open:
                self._open.add((id(around), name))
                try:
                    found += self._dotted(around, around.renamed[name])
                finally:
                    self._open.discard((id(around), name))
            if found or name in around.imported:
                return tuple(found)
            around = around.parent
        return ()

    def dotted(self, block: Block, names: tuple[str, ...]) -> tuple[Meant, ...]:
        """What `A.B.C` means in a block."""
        return tuple(self._dotted(block, names))

    def _dotted(self, block: Block, names: tuple[str, ...]) -> list[Meant]:
        current = list(self.meant(block, names[0]))
        for name in names[1:]:
            spaces = [one.block for one in current if isinstance(one, Space)]
            current = [found for space in spaces for found in self._inside(space, name)]
        return current

    def _inside(self, space: Block, name: str) -> tuple[Meant, ...]:
        """A name of a namespace or module; `export =` makes its namespace the module."""
        return self.exported(space, name)

    def is_from_elsewhere(self, block: Block, name: str) -> str | None:
        """The specifier of the import that binds a name, if nothing of it is unpacked."""
        around: Block | None = block
        while around is not None:
            target = around.imported.get(name)
            if target is not None:
                return None if self.module(target.specifier, around) else target.specifier
            around = around.parent
        return None
