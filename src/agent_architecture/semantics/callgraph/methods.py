"""Methods that nothing asks for: bodies that only stand in for others, and methods whose name nobody says.

Objects of unknown classes are called by names alone, so a method is asked for wherever its name stands in code. Only
one of a class that the project calls by itself is told so: what libraries call by a protocol is named nowhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

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
    True: regex(rb"\b[gs]etattr\s*\([^,\n]+,\s*+(?![rbu]?[\"'])|\b(?:methodcaller|getattr_static|__getattribute__)\b"),
    False: regex(rb"[\w$\])]\s*\[(?!\s*[\"'\d])[^\]\n]*\]\s*(?:\?\.)?\(|\bReflect\.(?:get|apply)\b"),
}
"""How code calls methods by names that are not written, by whether it is Python."""
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
        self._by_name: dict[bool, bool] = {}

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
            and not self._calls_by_name(is_python(method.module.path))
            and not self._openings.is_named_elsewhere(method.name)
        )

    def _calls_by_name(self, python: bool) -> bool:
        known = self._by_name.get(python)
        if known is None:
            files = (file for path, file in self._files.items() if is_python(path) is python)
            known = self._by_name[python] = any(METHODS_BY_NAME[python].search(file.data) for file in files)
        return known


def _is_declared(module: ir.Module, span: Span) -> bool:
    """Whether a place stands in an interface: it says what others have, and asks for nothing."""
    return any(each.kind == "interface" and each.span.contains(span) for each in module.index.classes)


def _is_abstract(method: ir.Function) -> bool:
    return any(callee_name(each) == "abstractmethod" for each in method.decorators)


def _is_special(name: str) -> bool:
    """Whether the language calls what has this name."""
    return not name.isidentifier() or (name.startswith("__") and name.endswith("__"))
