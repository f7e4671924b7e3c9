"""How code is taken without an import that leads to it: started as a program, found by its place or by a name in a
text, loaded by a name that is not written, or published for others.

All of it in doubt: who asks wants to know of code that nothing can reach.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import InProject
from agent_architecture.names.select import imports_of, mentioned_by
from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.callgraph.file_mentions import file_names, is_told
from agent_architecture.semantics.callgraph.importers import FEW
from agent_architecture.semantics.callgraph.loaders import Loader, loaders
from agent_architecture.semantics.callgraph.loading import (
    ASKED_METHODS,
    OFFERED,
    acts,
    fills,
    is_asked_for,
    is_offered,
    routers_of,
)
from agent_architecture.semantics.callgraph.place_names import ASKED_STEMS, FOLDERS, PACKAGES, STARTED_STEMS, STEMS
from agent_architecture.semantics.callgraph.processes import runs_itself
from agent_architecture.semantics.callgraph.publishing import Publishing
from agent_architecture.sources.languages import CODE, is_notebook, is_python
from agent_architecture.sources.source import Language, Role, SourceFile, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from agent_architecture.names.code_words import CodeWords
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.deployments import Deployments
    from agent_architecture.semantics.callgraph.importers import Importers

ASKED_CLASSES: Final = regex(r"\w*(?:App|Application|Config|Extension|Handler|Middleware|Plugin|Server|Worker)")
"""Those of classes: an agent or tool is asked for as it was made."""
CLASSES: Final = Sought(
    regex(rb"__subclasses__|__init_subclass__|\bgetmembers\b|\bmetaclass\s*="),
    (b"class__", b"classes__", b"getmembers", b"metaclass"),
)
"""How code looks for classes."""
INSIDE: Final = {
    True: regex(
        rb"\b(?:globals|locals)\s*\(\s*\)(?!\s*(?:\[|\.get\()\s*[\"'])(?<!in globals\(\))|"
        rb"\b(?:vars|dir)\s*\(\s*\)|\bgetmembers\b|\bsys\.modules\b|(?m:^def __getattr__\b)|\bFire\s*\(\s*\)"
    ),
    False: regex(rb"(?!)"),
}
"""How a module hands out what it has by names that are not written."""
SOURCES: Final = ("app", "lib", "scripts", "src")
"""Folders in which a manifest's files stand."""
SHEBANG: Final = b"#!"
SAID: Final = regex(rb"(?m:^[ \t]*echo[ \t][^\n|>$`;&]*$)")
"""A line of a script that only says something."""


class Openings:
    """Answers for one program; `files` are its code, `acting` the files with agents, tools and servers in them."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is known of the program, part by part
        self,
        program: Program,
        files: Mapping[str, SourceFile],
        acting: Container[str],
        words: CodeWords,
        importers: Importers,
        deployments: Deployments,
        wrapping: Container[Span] = (),
    ) -> None:
        self._program = program
        self._importers = importers
        self._deployments = deployments
        self._wrapping = wrapping
        self._words = words
        self._files = files
        self._acting = acting
        self._modules = {module.path: module for module in program.parsed}
        self._publishing = Publishing(program, files, acting)
        every = program.table.files()
        self._texts = [f for f in every if f.language not in CODE and f.language is not Language.PROMPT]
        self._loads: dict[bool, tuple[Loader, ...]] = {}
        self._lines: dict[str, list[int]] = {}
        self._opens: dict[str, bool] = {}
        self._unparsed: dict[str, frozenset[str]] = {}
        self._mounted: dict[str, frozenset[str]] = {}

    # --------------------------------------------------------------------------------------------------------- modules
    def opens(self, module: ir.Module) -> bool:
        """Whether a module may be loaded, though no module of the project that is loaded imports it."""
        known = self._opens.get(module.path)
        if known is None:
            known = self._opens[module.path] = self._is_open(module)
        return known

    def is_left_beside(self, module: ir.Module) -> bool:
        """Whether nothing may load a module that nobody imports, its name stands in no other code, and a program of its
        language beside it is started or serves.
        """
        folder, _, name = module.path.rpartition("/")
        stem, python = name.partition(".")[0], is_python(module.path)
        others = [(path, file) for path, file in self._files.items() if path != module.path]
        alike = [(path, file) for path, file in others if is_python(path) is python]
        beside = [self._modules.get(path) for path, _ in alike if path.rpartition("/")[0] == folder]
        return (
            any(each is not None and each.role is Role.APP and self._publishing.runs(each) for each in beside)
            and not any(True for _, file in others for _ in self._words.places(file, stem))
            and not any(one.may_mean(module.path) for _, file in alike for one in loaders(file, python=python))
            and not self._opens_by_itself(module)
        )

    def _is_open(self, module: ir.Module) -> bool:
        return self._opens_by_itself(module) or self._is_loaded_by_name(module)

    def _opens_by_itself(self, module: ir.Module) -> bool:
        """Whether a module may be loaded, but for code that loads others by names that are not written."""
        return (
            module.role is not Role.APP
            or module.path in self._acting
            or is_notebook(module.path)
            or self._is_started_by_place(module)
            or runs_itself(module)
            or self._acts(module)
            or self._publishing.publishes(module)
            or self._is_mentioned(module)
        )

    def _acts(self, module: ir.Module) -> bool:
        elsewhere = self._of_twins(module) | self._repeated(module)
        importers, routers = self._importers.of(module.path), self._routers(module)
        return acts(self._program, module, elsewhere, self._wrapping, importers, routers)

    def _routers(self, module: ir.Module) -> frozenset[str]:
        """The routers of a module beside others that the application imports: who does not import it mounts none."""
        known = self._mounted.get(module.path)
        if known is None:
            is_beside = self._importers.takes_near(module.path.rpartition("/")[0])
            known = self._mounted[module.path] = routers_of(self._program, module) if is_beside else frozenset()
        return known

    def is_routed(self, module: ir.Module, span: Span) -> bool:
        """Whether a place stands in what such a router is given."""
        routers = self._routers(module)
        return any(fills(node, routers) for node in module.body if node.span.contains(span))

    def _is_started_by_place(self, module: ir.Module) -> bool:
        """Whether people or servers start or look for a file of this name, in this folder or with this first line."""
        folder, _, name = module.path.rpartition("/")
        is_placed = self._is_started_by_name(module, name.partition(".")[0].lower()) or self._is_taken_by_place(
            folder, is_python(module.path), module.path
        )
        return (is_placed and not self._routers(module)) or self._files[module.path].data.startswith(SHEBANG)

    def _is_started_by_name(self, module: ir.Module, stem: str) -> bool:
        """Whether a file has a name that frameworks look for, or one that people start, and does something then."""
        if STEMS.fullmatch(stem) is None:
            return False
        is_alone = not self._importers.of(module.path) and ASKED_STEMS.fullmatch(stem) is None
        is_started = STARTED_STEMS.fullmatch(stem) or ASKED_STEMS.fullmatch(stem)
        return is_started is None or is_alone or self._acts(module)

    def is_program(self, module: ir.Module) -> bool:
        """Whether a module that does something when it is started is there for that. What others import, and nobody
        is told to start, only shows what it has.
        """
        return runs_itself(module) and (
            not any(self._modules[path].role is Role.APP for path in self._importers.of(module.path))
            or self._is_started_by_place(module)
            or self._is_mentioned(module)
        )

    def _is_taken_by_place(self, folder: str, python: bool, path: str = "") -> bool:
        """Whether the files of a folder may be loaded for where they are."""
        names = self._names_of(folder)
        return any(map(FOLDERS[python].fullmatch, names)) or (
            any(map(PACKAGES[python].fullmatch, names))
            and not self._importers.takes_near(folder)
            and not self._importers.is_for_types(path)
        )

    def _names_of(self, folder: str) -> list[str]:
        """The names of a folder and those around it, but for one that only holds what is deployed by itself."""
        deployed = self._deployments.of(f"{folder}/-")
        parts = folder.lower().split("/")
        holding = deployed.count("/") - 1 if deployed else -1
        return [name for n, name in enumerate(parts) if not (n == holding and name in {"apps", "modules"})]

    def _of_twins(self, module: ir.Module) -> frozenset[str]:
        """What a module offers that the project takes from another one beside it: from an old copy nobody takes it."""
        folder = module.path.rpartition("/")[0]
        specifiers = self._program.exports.specifiers
        app = [each for path, each in self._modules.items() if path in self._files and each is not module]
        beside = {each.path: each for each in app if each.path.rpartition("/")[0] == folder}
        own = {export.exported for export in module.index.exports}
        twins = {path for path, each in beside.items() if own & {export.exported for export in each.index.exports}}
        loaded = frozenset().union(*(imports_of(specifiers, each) for each in app)) & twins if twins else ()
        return frozenset(export.exported for path in loaded for export in beside[path].index.exports) & own

    def _repeated(self, module: ir.Module) -> frozenset[str]:
        """The names of a module that others of the application give to what they ask the same function for: who wants
        that has it there (`config = get_config()`).
        """
        own = frozenset(_asked(module)) & self._asked_often
        return frozenset(name for name, _ in own)

    @cached_property
    def _asked_often(self) -> frozenset[tuple[str, str]]:
        app = (module for path, module in self._modules.items() if path in self._files and module.role is Role.APP)
        counts = Counter(each for module in app for each in set(_asked(module)))
        return frozenset(each for each, count in counts.items() if count > FEW)

    def _is_loaded_by_name(self, module: ir.Module) -> bool:
        """Whether some code of its language that is loaded itself loads files by names that are not written."""
        python = is_python(module.path)
        if python not in self._loads:
            files = (file for path, file in self._files.items() if is_python(path) is python)
            loading = (one for file in files for one in loaders(file, python=python) if self._may_load(file.path))
            self._loads[python] = tuple(loading)
        return any(
            one.may_mean(module.path) and self._deployments.may_load(one.path, module.path)
            for one in self._loads[python]
        )

    def _may_load(self, path: str) -> bool:
        """Whether a file is imported, or loaded without that."""
        module = self._modules.get(path)
        return module is None or bool(self._importers.of(path)) or self._opens_by_itself(module)

    def _is_mentioned(self, module: ir.Module) -> bool:
        """Whether a text or a file that is no code names the module's file, or code that was not parsed its name."""
        form, stem = file_names(module.path), module.path.rpartition("/")[2].partition(".")[0]
        word = stem.encode("utf-8", "replace")  # stands in whatever names the file, and is sought much faster
        for file in self._texts:
            if word in file.data and any(
                is_told(file, found) and self._means(file, found, module.path) for found in form.finditer(file.data)
            ):
                return True
        for path, file in self._files.items():
            other = self._modules.get(path)
            if other is None and word in file.data and self._names(file, module, form):
                return True
            if other is not None and other is not module and word in file.data and self._says(file, other, form):
                return True
        return False

    def _means(self, file: SourceFile, found: re.Match[bytes], path: str) -> bool:
        """Whether a text that names a file means this one of several that are called so."""
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        if not found.group().startswith(stem.encode("utf-8", "replace")) or self._stems[stem] == 1:
            return True
        before = file.data[: found.start()]
        if before.endswith(b"/") and not before.endswith(b"./"):
            return before.endswith(f"{folder.rpartition('/')[2]}/".encode("utf-8", "replace"))
        around = file.path.rpartition("/")[0]
        return folder == around or folder in {f"{around}/{each}".lstrip("/") for each in SOURCES}

    @cached_property
    def _stems(self) -> Counter[str]:
        return Counter(path.rpartition("/")[2].partition(".")[0] for path in self._files)

    def _names(self, file: SourceFile, module: ir.Module, form: re.Pattern[bytes]) -> bool:
        """Whether a file that was not parsed imports a module or has such a text."""
        if file.path not in self._unparsed:
            self._unparsed[file.path] = mentioned_by(self._program.exports.specifiers, file)
        return module.path in self._unparsed[file.path] or form.search(file.data) is not None

    def _says(self, file: SourceFile, module: ir.Module, form: re.Pattern[bytes]) -> bool:
        """Whether a file of code has such a text outside of its imports."""
        found = (self.span_at(file, match.start(), 1) for match in form.finditer(file.data))
        return any(not any(node.span.contains(span) for _, node in module.index.imports) for span in found)

    # ----------------------------------------------------------------------------------------------------- definitions
    def is_closed(self, module: ir.Module, name: str, importers: Iterable[str], *, in_doubt: bool = False) -> bool:
        """Whether who wants this of a module says its name; `in_doubt`, whether the module is there for those that
        import it, too.
        """
        inside = INSIDE[is_python(module.path)]
        return (
            not (in_doubt and self.is_program(module))
            and self.is_kept_inside(module, name, in_doubt=in_doubt)
            and not any(each.exported == "default" and each.local == name for each in module.index.exports)
            and inside.search(self._files[module.path].data) is None
            and not any(self._takes_all(path) for path in importers)
        )

    def is_for_itself(self, module: ir.Module) -> bool:
        """Whether nobody is seen to take a module that nothing imports for where it is or what it is called: it is
        left over where others are taken by imports. Whoever starts it asks for none of its names.
        """
        folder, _, name = module.path.rpartition("/")
        stem, form = name.partition(".")[0].lower(), file_names(module.path)
        is_named = (STARTED_STEMS.fullmatch(stem) or ASKED_STEMS.fullmatch(stem)) is None
        is_placed = self._is_taken_by_place(folder, is_python(module.path))
        return not (
            ((is_named and STEMS.fullmatch(stem) is not None) or (is_placed and not self._routers(module)))
            or self._files[module.path].data.startswith(SHEBANG)
            or any(f.language is not Language.MARKDOWN and form.search(f.data) for f in self._texts)
            or self._is_loaded_by_name(module)
        ) and self._importers.takes_near(folder)

    def is_kept_inside(self, module: ir.Module, name: str, *, in_doubt: bool = False) -> bool:
        """Whether nobody outside of the project asks for what has this name in a module."""
        is_class = any(each.name == name and each.outer is module for each in module.index.classes)
        offered = OFFERED.fullmatch if in_doubt else is_asked_for if self._importers.of(module.path) else is_offered
        is_asked = ASKED_CLASSES.fullmatch(name) is not None if is_class else bool(offered(name))
        return not self._publishing.publishes(module, name, in_doubt=in_doubt) and not is_asked

    def is_own_method(self, module: ir.Module, name: str) -> bool:
        """Whether nobody outside of the project asks for a method of this name in a module."""
        return not self._publishing.publishes(module, name) and ASKED_METHODS.fullmatch(name) is None

    def _takes_all(self, path: str) -> bool:
        """Whether a file has another module as a whole and uses it otherwise than by its members."""
        file, module, targets = self._files[path], self._modules[path], self._program.exports.specifiers.targets
        imports = [
            node
            for _, node in module.index.imports
            if any(isinstance(target, InProject) for target in targets(module, node))
        ]
        wholes = {node.alias for node in imports if not node.names}
        wholes |= {name.alias for node in imports for name in node.names if name.name == "*" and name.alias != "*"}
        data = file.data
        for alias in filter(None, wholes):
            for place in self._words.places(file, alias):
                end = place + len(alias.encode("utf-8", "replace"))
                if data[end : end + 1] not in {b".", b"?"} and not _is_imported(data, place):
                    return True
        return INSIDE[is_python(path)].search(data) is not None

    @cached_property
    def looks_for_classes(self) -> bool:
        """Whether some code looks for classes by what they derive from."""
        return any(CLASSES.is_in(file.data) for file in self._files.values())

    def is_named_elsewhere(self, name: str) -> bool:
        """Whether a file that is no code has a name."""
        written = name.encode("utf-8", "replace")
        word = re.compile(rb"(?<![\w-])" + re.escape(written) + rb"(?![\w-])")
        texts = (file.data for file in self._texts if file.language is not Language.MARKDOWN)
        return any(written in data and word.search(SAID.sub(b"", data)) for data in texts)

    def span_at(self, file: SourceFile, place: int, length: int) -> Span:
        """The place of a word in a file, from where it begins in its bytes."""
        starts = self._lines.get(file.path)
        if starts is None:
            starts = self._lines[file.path] = [0, *(found.end() for found in re.finditer(rb"\n", file.data))]
        line = bisect_right(starts, place)
        column = 1 + len(file.data[starts[line - 1] : place].decode("utf-8", "replace"))
        return Span(file.path, line, column, line, column + length)


def _is_imported(data: bytes, place: int) -> bool:
    """Whether a word stands in a line that imports."""
    line = data[data.rfind(b"\n", 0, place) + 1 : place]
    return b"import" in line or line.lstrip().startswith(b"from ")


def _asked(module: ir.Module) -> Iterator[tuple[str, str]]:
    """The names that a module gives to what it asks a function for that it imports, without telling it anything, and
    the names of these functions.
    """
    imported = {name.alias for _, node in module.index.imports for name in node.names}
    for node in module.body:
        match node:
            case ir.Assign(target=ir.Name(id=name), value=ir.Call(callee=ir.Name(id=callee), args=())):
                if callee in imported:
                    yield name, callee
            case _:
                pass
