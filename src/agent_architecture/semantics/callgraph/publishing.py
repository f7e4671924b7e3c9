"""What a project publishes for programs of others: then what its modules offer is the product.

Read from `package.json`, `pyproject.toml`, `setup.py` and `setup.cfg`, and from what stands beside a package: a package
that an application beside it uses, and that no manifest names, is there for that application.
"""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import runs_itself
from agent_architecture.semantics.callgraph.routes import served_by
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile

ENTRIES: Final = ("exports", "module", "types", "typings")
"""The files of a package that others import, as its `package.json` says; `main` is one where it is neither private nor
started: `npm init` writes one for every program.
"""
DEPENDENCIES: Final = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
STARTS: Final = frozenset({"start", "serve"})
"""Scripts of a package that start it."""
DEEPEST: Final = 8
"""Conditions inside each other that are gone into."""
BUILT: Final = regex(rb"\[build-system\]|\[tool\.(?:poetry|flit|hatch|setuptools|pdm)\b|\bsetup\s*\(|\[options")
"""How a Python manifest says that something is packed."""
ABOUT: Final = regex(
    rb"^\[+\s*(?:project|build-system|tool\.(?:setuptools|hatch|poetry|flit|pdm|uv))\b[^\n]*\n"
    rb"(?:(?!\[)[^\n]*\n?)*+",
    re.MULTILINE,
)
"""The tables of `pyproject.toml` that say what is packed; those of linters name packages, too."""
FOR_OTHERS: Final = regex(
    rb"^\s*(?:classifiers|keywords|homepage|repository|documentation|maintainers?|url|project_urls)\s*=|"
    rb"^\[(?:project|tool\.poetry)\.urls\]",
    re.MULTILINE,
)
"""What a manifest says to those who may look for a package."""
UNSAID: Final = b"Add your description here"
"""What `uv init` (0.9) writes as the description: nobody has yet said what a package is for."""
COMMON: Final = regex(r"(?i:apis?|apps?|application|backend|bots?|core|main|servers?|services?|source|src|web)")
"""Names of packages that nobody gives to others: every program has one that is called so."""
MANIFESTS: Final = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files that say how a Python package is packed."""
SPELLED: Final = str.maketrans("-.", "__")


class Publishing:
    """Answers for the modules of one program; `acting` are the files with agents, tools and servers in them."""

    def __init__(self, program: Program, files: Mapping[str, SourceFile], acting: Container[str]) -> None:
        self._program = program
        self._files = files
        self._acting = acting
        self._packages: dict[str, bool] = {}
        self._public: dict[tuple[str, bool], bool] = {}
        self._told: set[str] = set()
        self._given: set[str] = set()

    def publishes(self, module: ir.Module, name: str = "", *, in_doubt: bool = False) -> bool:
        """Whether others may import a module, and take what has this name in it. Of a package that runs by itself and
        gives nothing to who imports it, others take what its pages name. `in_doubt`: any packed package that gives
        something is for others.
        """
        if not is_python(module.path):
            return self._is_public_script(module.path)
        if name.startswith("_") or not self._is_public_python(module.path, in_doubt=in_doubt):
            return False
        top = self._top(module.path)
        if in_doubt or top not in self._told | self._given:
            return True
        return bool(name) and (self._is_told(name) or (top in self._given and self._is_given(top, name)))

    def _is_given(self, top: str, name: str) -> bool:
        """Whether a file that stands for a folder of a package gives a name: in doubt it does."""
        faces = [path for path in self._files if path.startswith(_inside(top)) and path.endswith("/__init__.py")]
        modules = [module for module in self._program.parsed if module.path in faces]
        return len(modules) < len(faces) or any(_binds(node, name) for module in modules for node in module.body)

    def _is_told_how(self, top: str) -> bool:
        """Whether a package gives nothing itself, and pages say what to import of what is in it."""
        name = re.escape(top.rpartition("/")[2].encode("utf-8", "replace"))
        form = re.compile(rb"^\s*(?:from|import)\s+" + name + rb"[.\w]*", re.MULTILINE)
        texts = (f.data for f in self._program.table.files() if f.language is Language.MARKDOWN)
        return not self._offers(top) and any(form.search(data) for data in texts)

    def _is_told(self, name: str) -> bool:
        """Whether a page has a name."""
        word = re.compile(rb"(?<![\w-])" + re.escape(name.encode("utf-8", "replace")) + rb"(?![\w-])")
        return any(f.language is Language.MARKDOWN and word.search(f.data) for f in self._program.table.files())

    def _is_public_script(self, path: str) -> bool:
        folder = path.rpartition("/")[0]
        while True:
            place = f"{folder}/package.json" if folder else "package.json"
            if place not in self._packages:
                self._packages[place] = self._is_offered(place)
            file = self._program.table.file(place)
            if file is not None or not folder:
                return self._packages[place]
            folder = folder.rpartition("/")[0]

    def _is_offered(self, place: str) -> bool:
        file = self._program.table.file(place)
        if file is None:
            return True
        try:
            said = json.loads(file.data)
        except (ValueError, RecursionError):
            return True
        if not isinstance(said, dict):
            return True
        if said.get("private") is True and said.get("name") in self._depended_on:
            return False
        programs = {_stem(path) for path in _paths(said.get("bin"))}
        if "contributes" in said or ("files" in said and not programs):
            return True
        scripts = said.get("scripts")
        is_started = isinstance(scripts, dict) and not STARTS.isdisjoint(scripts)
        keys = ENTRIES if said.get("private") is True or is_started else (*ENTRIES, "main")
        return any(_stem(path) not in programs for key in keys for path in _paths(said.get(key)))

    @cached_property
    def _depended_on(self) -> frozenset[str]:
        """The packages that others of the project depend on: a private one of them is there for these."""
        found: set[str] = set()
        for file in self._program.table.files():
            if file.path.rpartition("/")[2] == "package.json":
                found |= _dependencies(file.data)
        return frozenset(found)

    def _is_public_python(self, path: str, *, in_doubt: bool) -> bool:
        """Whether a module is in a package that is packed, or that is all there is."""
        top = self._top(path)
        key = (top or path, in_doubt)
        if key not in self._public:
            self._public[key] = self._is_packed(top, path, in_doubt=in_doubt)
        return self._public[key]

    def _top(self, path: str) -> str:
        """The outermost package that a module is in; "" for one in none. Folders inside of one need no file of their
        own to be parts of it.
        """
        folder, top = path.rpartition("/")[0], ""
        is_part = True
        while folder:
            is_package = f"{folder}/__init__.py" in self._files
            top = folder if is_package else top
            is_part = is_part and is_package
            folder = folder.rpartition("/")[0]
        return "." if is_part and "__init__.py" in self._files else top

    def _is_packed(self, top: str, path: str, *, in_doubt: bool) -> bool:
        if top == "." and in_doubt:
            return True
        manifests = [m for name in MANIFESTS for m in self._above(top or path, name)]
        packed = [file for file in manifests if BUILT.search(file.data)]
        name = (top or path.removesuffix(".py")).rpartition("/")[2].translate(SPELLED).lower()
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        texts = (_about_packing(file).decode("utf-8", "replace").translate(SPELLED).lower() for file in packed)
        if top != "." and any(word.search(text) for text in texts):
            has_program = bool(top) and self._has_program(top)
            if top and self._is_told_how(top) and (has_program or self._is_used_beside(top)):
                self._told.add(top)
            elif has_program and not any(FOR_OTHERS.search(file.data) for file in packed):
                self._given.add(top)
            return not (top and self._is_program(top, packed, in_doubt=in_doubt))
        if top:
            is_program = (
                self._is_program(top, packed, in_doubt=in_doubt)
                if packed
                else self._has_program(top) or self._is_application
            )
            return not (is_program or self._is_used_beside(top))
        return False

    def _is_program(self, top: str, manifests: Sequence[SourceFile], *, in_doubt: bool) -> bool:
        """Whether a packed package is there to be started: something in it is, no manifest says to others what it is
        and where it is found, and the file that stands for it offers nothing (in doubt, none in it that stands for a
        folder), a container starts it, or the manifest says nothing of it at all. What is called as every program calls
        it is there for that alone.
        """
        if not self._has_program(top):
            return False
        if not in_doubt and COMMON.fullmatch(top.rpartition("/")[2]) is not None:
            return True
        faces = [path for path in self._files if path.startswith(_inside(top)) and path.endswith("/__init__.py")]
        return not any(FOR_OTHERS.search(file.data) for file in manifests) and (
            any(UNSAID in file.data for file in manifests)
            or self._is_contained(top, manifests)
            or not (any(map(self._gives, faces)) if in_doubt else self._offers(top))
        )

    def _gives(self, path: str) -> bool:
        """Whether a file that stands for its folder gives something to who imports the folder: in doubt it does."""
        module = next((module for module in self._program.parsed if module.path == path), None)
        return module is None or any(isinstance(node, (ir.Import, ir.Function, ir.Class)) for node in module.body)

    def _offers(self, top: str) -> bool:
        """Whether the file that stands for a package gives something to who imports that: in doubt it does."""
        path = f"{_inside(top)}__init__.py"
        module = next((module for module in self._program.parsed if module.path == path), None)
        if module is None:
            return path in self._files
        name = top.rpartition("/")[2]
        return any(
            isinstance(node, (ir.Function, ir.Class))
            or (isinstance(node, ir.Import) and (node.level > 0 or node.module.partition(".")[0] == name))
            for node in module.body
        )

    def _is_contained(self, top: str, manifests: Iterable[SourceFile]) -> bool:
        """Whether the file of a container beside a manifest starts something in a package."""
        form = re.compile(
            rb"^\s*(?:CMD|ENTRYPOINT)\b.*(?<!\w)" + re.escape(top.rpartition("/")[2].encode()) + rb"\b", re.MULTILINE
        )
        folders = {file.path.rpartition("/")[0] for file in manifests}
        return any(
            file.language is Language.DOCKERFILE and file.path.rpartition("/")[0] in folders and form.search(file.data)
            for file in self._program.table.files()
        )

    def _above(self, place: str, name: str) -> list[SourceFile]:
        """The manifests of this name in the folders above a place."""
        folder, found = place.rpartition("/")[0], []
        while True:
            file = self._program.table.file(f"{folder}/{name}" if folder else name)
            found += [file] if file is not None else []
            if not folder:
                return found
            folder = folder.rpartition("/")[0]

    def _is_used_beside(self, top: str) -> bool:
        """Whether an application's file outside of a package imports it."""
        from agent_architecture.names.select import imports_of

        specifiers = self._program.exports.specifiers
        return any(
            target.startswith(f"{top}/")
            for module in self._program.parsed
            if module.role is Role.APP and module.path in self._files and not module.path.startswith(f"{top}/")
            for target in imports_of(specifiers, module)
        )

    @cached_property
    def _is_application(self) -> bool:
        """Whether a project packs nothing, and something in it serves: it gives nothing to programs of others."""
        files = self._program.table.files()
        is_packed = any(
            file.path.rpartition("/")[2] in MANIFESTS and BUILT.search(file.data) is not None for file in files
        )
        return not is_packed and any(
            (file := self._files.get(path)) is not None and file.role is Role.APP for path in self._serving
        )

    def _has_program(self, top: str) -> bool:
        """Whether a package has something in it that is started, or serves."""
        inside = (m for m in self._program.parsed if m.path.startswith(_inside(top)) and m.path in self._files)
        return any(map(self.runs, inside))

    def runs(self, module: ir.Module) -> bool:
        """Whether a module is started, or serves."""
        return runs_itself(module) or module.path in self._serving

    @cached_property
    def _serving(self) -> frozenset[str]:
        """The files of functions that answer requests."""
        return frozenset(one.handler.span.path for one in served_by(self._program))


def _binds(node: ir.Node, name: str) -> bool:
    """Whether a statement of a file gives a name to who imports the file."""
    if isinstance(node, ir.Import):
        return any(name in {one.name, one.alias} or one.name == "*" for one in node.names)
    return any(
        (isinstance(each, (ir.Function, ir.Class)) and each.name == name)
        or (isinstance(each, ir.Name) and each.id == name)
        or (isinstance(each, ir.Literal) and each.value == name)
        for each in ir.walk(node)
    )


def _inside(top: str) -> str:
    """What the paths of a package's files begin with."""
    return "" if top == "." else f"{top}/"


def _about_packing(file: SourceFile) -> bytes:
    """What a manifest says of what is packed."""
    return b"".join(ABOUT.findall(file.data)) if file.path.endswith(".toml") else file.data


def _dependencies(data: bytes) -> frozenset[str]:
    """The names of what a `package.json` depends on."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return frozenset()
    kinds = [said.get(kind) for kind in DEPENDENCIES] if isinstance(said, dict) else []
    return frozenset(name for each in kinds if isinstance(each, dict) for name in each)


def _paths(said: object, deep: int = 0) -> Iterator[str]:
    """The files of code that a value of `package.json` names: a text, or those in a mapping of conditions or names."""
    if isinstance(said, str):
        yield from () if said.endswith(".json") else (said,)
    elif isinstance(said, dict) and deep < DEEPEST:
        for each in said.values():
            yield from _paths(each, deep + 1)


def _stem(path: str) -> str:
    """A file without its extensions: what is imported and what is run are one, with its types beside it."""
    folder, slash, name = path.removeprefix("./").rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"
