"""Methods that nothing asks for: bodies that only stand in for others, and methods whose name nobody says.

Objects of unknown classes are called by names alone, so a method is asked for wherever its name stands in code. Only
one of a class that the project calls by itself is told so: what libraries call by a protocol is named nowhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agent_architecture.names.code_words import CodeWords
    from agent_architecture.semantics.callgraph.openings import Openings
    from agent_architecture.sources.source import SourceFile, Span

METHODS_BY_NAME: Final = {
    True: regex(rb"\b(?:methodcaller|getattr_static|__getattribute__)\b"),
    False: regex(
        rb"(?P<of>[\w$]+|[\])])\s*\[(?!\s*[\"'\d])(?P<by>[^\]\n]*)\]\s*(?:\?\.)?\(|\bReflect\.(?:get|apply)\b"
    ),
}
"""How code calls methods by names that are not written, by whether it is Python."""
PLACE: Final = regex(rb"[ijkn]|\w*(?:[iI]ndex|[iI]dx)|[\w.]+\s*[-+]\s*\d+|[\w.]+\s*%\s*[\w.]+")
"""What says where something stands in a list."""
ATTRIBUTE: Final = regex(
    rb"\bgetattr\s*\(\s*(?P<of>[^,\n]+?),\s*(?:(?P<all>[\w.\[\]]+)(?![\"'\w])|[fF][\"'](?P<start>\w*)\{[^{}\n]*\}(?P<end>\w*)[\"']|"
    rb"(?P<written>[rbu]?[\"'][^\"'\n]*[\"'])|(?P<other>))(?:\s*,\s*[\w.\"']+|\s*,\s*\[\]|\s*,\s*\{\})?\s*(?P<closed>\))?"
)
"""How Python asks for an attribute by a name, and what is known of the name."""
HELD: Final = regex(rb"(?:^|[\s;])(\w+)\s*(?::[^=\n]+)?=\s*(?:await\s+)?$")
"""What stands before it where the answer is kept under a name."""
DATA_CALL: Final = regex(
    rb"\b(?:str|int|float|bool|len|repr|isinstance|hasattr|print|sum|min|max|sorted|list|set|tuple|dict|type)\(\s*\w*"
)
"""Calls that only look at what they are given."""
DATA_BEFORE: Final = regex(
    rb"(?:\b(?:str|int|float|bool|len|repr|isinstance|hasattr|print|sum|min|max|sorted|list|set|tuple|dict|type)\(|"
    rb"\b(?:if|elif|in|not|and|or|while|assert|is)\s|[=!<>]=\s*|[-+*/%<>]\s)\s*$"
)
"""What stands before it where the answer is only looked at."""
DATA_BEHIND: Final = regex(rb"\s*(?:[=!<>]=|[-+*/%<>.\[]|(?:is|in|not)\b)")
"""What stands behind it there."""
FORWARDS: Final = regex(rb"\bdef __getattr__\b(?:(?!\n[ \t]*def ).|\n)*$")
"""An object that hands on what it is asked for."""
AHEAD: Final = 2_000
"""Bytes behind it in which the name that keeps it is called, or handed on."""
USERS: Final = 50
"""Methods that are looked at on the ways back from one; behind that, it is asked for."""


class Methods:
    """Answers for one program; `files` are its code, `modules` what was parsed of it. `may_be_left` tells whether a
    method's class is one whose methods are run only by their names.
    """

    def __init__(
        self,
        files: Mapping[str, SourceFile],
        modules: Mapping[str, ir.Module],
        words: CodeWords,
        openings: Openings,
        may_be_left: Callable[[ir.Class, ir.Function], bool],
    ) -> None:
        self._files = files
        self._modules = modules
        self._words = words
        self._openings = openings
        self._may_be_left = may_be_left
        self._of: dict[str, list[ir.Function]] = {}
        self._unnamed: dict[int, bool] = {}
        self._by_name: dict[bool, frozenset[tuple[str, str]]] = {}

    def is_left(self, module: ir.Module, span: Span) -> bool:
        """Whether a place stands in a method that nothing asks for."""
        return any(self._is_left(method) for method in self._around(module, span))

    def _is_left(self, method: ir.Function) -> bool:
        if _is_abstract(method):
            return not self._is_asked_above(method)
        return self._is_unnamed(method) and self._is_called_by_the_project(method)

    def _around(self, module: ir.Module, span: Span) -> Iterator[ir.Function]:
        """The methods that a place stands in."""
        known = self._of.get(module.path)
        if known is None:
            known = self._of[module.path] = [
                each for each in module.index.functions if each.name and isinstance(each.outer, ir.Class)
            ]
        return (method for method in known if method.span.contains(span))

    def _is_asked_above(self, method: ir.Function) -> bool:
        """Whether some code asks for the body of an abstract method: `super().method`, `Base.method`."""
        name, cls = method.name.encode(), method.outer.name.encode() if isinstance(method.outer, ir.Class) else b""
        form = re.compile(rb"\b(?:super\([^()\n]*\)|" + re.escape(cls) + rb")\s*\.\s*" + re.escape(name) + rb"\b")
        return any(name in file.data and form.search(file.data) for file in self._files.values())

    def _is_called_by_the_project(self, method: ir.Function) -> bool:
        """Whether code says the name of another method of the class: who is called only by a library is not."""
        cls = method.outer
        others = (each for each in self._around_class(cls) if each is not method and not _is_special(each.name))
        return any(not self._is_unnamed(each) for each in others)

    def _around_class(self, cls: ir.Scope) -> Iterator[ir.Function]:
        return (
            (each for each in cls.module.index.functions if each.outer is cls)
            if isinstance(cls, ir.Class)
            else iter(())
        )

    def _is_unnamed(self, method: ir.Function) -> bool:
        known = self._unnamed.get(id(method))
        if known is None:
            known = self._unnamed[id(method)] = self._leads_nowhere(method)
        return known

    def _leads_nowhere(self, method: ir.Function) -> bool:
        """Whether the name of a method stands only in methods of which the same is true."""
        queue, seen = [method], {id(method)}
        for each in queue:  # grows
            if len(queue) > USERS or not self._may_be_unnamed(each):
                return False
            for path, file in self._files.items():
                for place in self._words.places(file, each.name):
                    module = self._modules.get(path)
                    if module is None:
                        return False
                    span = self._openings.span_at(file, place, len(each.name))
                    if _is_variable(module, file.data, place, span) or self._words.in_prose(file, place):
                        continue
                    around = list(self._around(module, span))
                    if any(one.name_span.contains(span) for one in around) or _is_declared(module, span):
                        continue  # a method is written, not asked for
                    if not around:
                        return False
                    if not any(id(one) in seen for one in around):
                        seen.add(id(around[-1]))
                        queue.append(around[-1])
        return True

    def _may_be_unnamed(self, method: ir.Function) -> bool:
        return (
            isinstance(method.outer, ir.Class)
            and not _is_special(method.name)
            and self._may_be_left(method.outer, method)
            and not self._calls_by_name(method)
            and not self._openings.is_named_elsewhere(method.name)
        )

    def _calls_by_name(self, method: ir.Function) -> bool:
        """Whether some code calls methods by names that are not written, and this may be one of them."""
        python = is_python(method.module.path)
        forms = self._by_name.get(python)
        if forms is None:
            files = [file.data for path, file in self._files.items() if is_python(path) is python]
            forms = self._by_name[python] = frozenset(form for data in files for form in _asked_names(data, python))
        return any(method.name.startswith(start) and method.name.endswith(end) for start, end in forms)


def _asked_names(data: bytes, python: bool) -> Iterator[tuple[str, str]]:
    """How the names begin and end by which code may call methods without writing them."""
    if any(python or not _is_of_a_list(data, found) for found in METHODS_BY_NAME[python].finditer(data)):
        yield "", ""
    for found in ATTRIBUTE.finditer(data) if python and b"getattr" in data else ():
        if found["written"] is None and not _is_looked_at(data, found):
            yield (found["start"] or b"").decode(), (found["end"] or b"").decode()


def _is_of_a_list(data: bytes, found: re.Match[bytes]) -> bool:
    """Whether what is called is taken out of a list by its place, or out of a table that the file writes out."""
    of, by = found["of"], found["by"]
    if of is None or not of[-1:].isalnum():
        return False
    table = rb"\b(?:const|let|var)\s+" + re.escape(of) + rb"\s*(?::[^=\n]+(?:=>[^=\n]+)?)?=\s*[\[{]"
    return PLACE.fullmatch(by.strip()) is not None or re.search(table, data) is not None


def _is_looked_at(data: bytes, found: re.Match[bytes]) -> bool:
    """Whether what is asked for is neither called nor handed on."""
    line = data[data.rfind(b"\n", 0, found.start()) + 1 : found.start()]
    behind = data[found.end() : found.end() + AHEAD]
    if _is_of_the_language(data, found["of"]):
        return True
    if found["all"] and FORWARDS.search(data[: found.start()][-AHEAD // 4 :]):
        return True  # who asks this object says the name
    if found["closed"] is None or behind.lstrip(b" \t").startswith(b"("):
        return False
    if held := HELD.search(line):
        name = re.escape(held[1])
        handed = rb"(?<![\w.])" + name + rb"\s*\(|(?:[(,=\[:]|\b(?:return|yield|await))\s*" + name + rb"\s*[,)\]}\n]"
        return re.search(handed, DATA_CALL.sub(b"", behind)) is None
    return DATA_BEFORE.search(line) is not None or DATA_BEHIND.match(behind) is not None


def _is_of_the_language(data: bytes, name: bytes) -> bool:
    """Whether a name is that of a module of the language's own library, which has none of the project's methods."""
    return (
        name.isalpha()
        and not is_foreign(f"py:{name.decode()}")
        and re.search(rb"^[ \t]*import " + name + rb"\b", data, re.MULTILINE) is not None
    )


def _is_variable(module: ir.Module, data: bytes, place: int, span: Span) -> bool:
    """Whether a word of Python is a name by itself, of which no class has a method: `complete = Panel(…)`."""
    if not is_python(module.path) or data[:place].rstrip()[-1:] in {b".", b'"', b"'"}:
        return False
    every: tuple[ir.Function | ir.Class, ...] = (*module.index.classes, *module.index.functions)
    inner = max((each for each in every if each.span.contains(span)), key=lambda each: each.span, default=None)
    return not isinstance(inner, ir.Class)


def _is_declared(module: ir.Module, span: Span) -> bool:
    """Whether a place stands in an interface: it says what others have, and asks for nothing."""
    return any(each.kind == "interface" and each.span.contains(span) for each in module.index.classes)


def _is_abstract(method: ir.Function) -> bool:
    return any(callee_name(each) == "abstractmethod" for each in method.decorators)


def _is_special(name: str) -> bool:
    """Whether the language calls what has this name."""
    return not name.isidentifier() or (name.startswith("__") and name.endswith("__"))
