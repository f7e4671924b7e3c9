"""Whether unpacked Python packages have what an API path names: `py:crewai.flow.Flow().kickoff`, step by step.

Modules, re-exports and values are the name layer's; here is only what a step asks of them. A step leads to several
alternatives; one that has the wanted name is enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from agent_architecture.names.definition_sites import InModule, Outside, WholeModule
from agent_architecture.names.members import is_property
from agent_architecture.names.scopes import Binding
from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance, Items, ModuleValue, Value, Values
from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir
from ecosystem.packs.answers import ANY, CALL, ELEMENT, FOUND, Answer, best, missing, steps_of, unreadable
from ecosystem.packs.installed import Site
from ecosystem.packs.python_classes import Classes
from ecosystem.packs.python_results import Results, is_supposed

Reached: TypeAlias = "Values | Answer"
"""What a path leads to, or why it leads nowhere."""

_NODE: Final = ir.Name(Span("", 1, 1, 1, 1), "path")
_ENTERING: Final = ("__aenter__", "__enter__", "__await__")
_PRIVATE_ALONE: Final = frozenset({"pydantic/main.py"})
"""Modules with a class whose `__getattr__` finds private attributes and nothing else."""
_PLAIN: Final = ("py:builtins", "py:typing", "py:typing_extensions", "py:collections.abc", "py:types")


class PythonNames:
    """Answers for one set of packages. `outside` gathers the modules that would have to be there, too."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._known: dict[tuple[str, ...], Reached] = {}
        self._classes = Classes(site.program)
        self._results = Results(site.program)
        self.outside: set[str] = set()

    def ask(self, path: str) -> Answer:
        """Whether a canonical path (`py:a.b.C().d`) is there."""
        steps = steps_of(path.removeprefix("py:"))
        reached = self._reach(steps[:-1] if steps[-1] == ANY else steps)
        return reached if isinstance(reached, Answer) else FOUND

    def values(self, path: str) -> Values:
        """What a path leads to; nothing where it leads nowhere."""
        reached = self._reach(steps_of(path.removeprefix("py:")))
        return () if isinstance(reached, Answer) else reached

    def _reach(self, steps: tuple[str, ...]) -> Reached:
        if steps not in self._known:
            self._known[steps] = self._first(steps[0]) if len(steps) == 1 else self._further(steps)
        return self._known[steps]

    def _first(self, name: str) -> Reached:
        module = self._site.module(name)
        if module is not None:
            return (ModuleValue(module),)
        self.outside.add(name)
        return unreadable(f"the module {name} is not among the unpacked packages")

    def _further(self, steps: tuple[str, ...]) -> Reached:
        before = self._reach(steps[:-1])
        if isinstance(before, Answer):
            return before
        if not before:
            return unreadable(f"what {_text(steps[:-1])} gives cannot be read")
        reached = [self._step(value, steps[-1], steps) for value in before]
        found = [values for values in reached if not isinstance(values, Answer)]
        if found:
            return tuple(dict.fromkeys(value for values in found for value in values))
        return best([answer for answer in reached if isinstance(answer, Answer)])

    def _step(self, value: Value, step: str, steps: tuple[str, ...]) -> Reached:
        if isinstance(value, Api):
            return self._of_outside(value)
        if step == CALL:
            return self._called(value, steps)
        if step == ELEMENT:
            return self._element(value, steps)
        match value:
            case ModuleValue():
                return self._in_module(value.module, step, steps)
            case ClassValue() | Instance():
                return self._member(value, step)
            case Items() | Entries():
                return self._in_elements(value, step, steps)
            case Func():
                return self._of_function(value, step, steps)
            case _:
                return unreadable(f"what {_text(steps[:-1])} is cannot be read")

    def _of_outside(self, value: Api) -> Answer:
        if not value.path.startswith(_PLAIN):
            self.outside.add(value.path.removeprefix("py:").partition("(")[0])
        return unreadable(f"it leads to {value.path}, which is not among the unpacked packages")

    # ---------------------------------------------------------------------------------------------------------- modules
    def _in_module(self, module: ir.Module, name: str, steps: tuple[str, ...]) -> Reached:
        exports = self._site.exports
        is_bound = bool(exports.bindings(module).get(name))
        found: list[Value] = []
        places = exports.locate(module, name)
        for place in places:
            match place:
                case WholeModule():
                    found.append(ModuleValue(place.module))
                case InModule():
                    found.extend(self._defined(exports.bindings(place.module).get(place.name, ())))
                case Outside():
                    if not is_bound:
                        self.outside.add(place.path.removeprefix("py:").rpartition(".")[0])
                        return unreadable(f"it may come from {place.path} by a star import")
                    found.append(Api(place.path, _NODE))
        dotted = _text(steps)
        inner = self._site.module(dotted) if dotted.isascii() and "(" not in dotted else None
        if inner is not None:  # a submodule may stand behind a name of its package
            found.append(ModuleValue(inner))
        if places or is_bound or inner is not None:
            return tuple(dict.fromkeys(found))
        if dotted in self._site.compiled or any(dotted.startswith(one + ".") for one in self._site.compiled):
            return unreadable(f"{dotted} is compiled")
        stub = self._site.table.get(f"{module.path}i")
        if stub is not None:  # what protocol buffers make when they are imported stands in stubs
            return self._in_module(stub, name, steps)
        file = self._site.table.file(module.path)
        if exports.bindings(module).get("__getattr__") and file is not None and name.encode() in file.data:
            return unreadable(f"{_text(steps[:-1])} makes its names with __getattr__")
        return missing(f"{_text(steps[:-1])} has no {name}")

    def _defined(self, bindings: Iterable[Binding]) -> Iterable[Value]:
        for binding in bindings:
            yield from self._results.of_binding(binding)

    # ---------------------------------------------------------------------------------------------- objects and classes
    def _member(self, value: ClassValue | Instance, name: str) -> Reached:
        holders = self._classes.lineage(value.cls)
        for cls in holders.classes:
            bindings = self._site.program.attributes(cls).get(name, ())
            if bindings:
                return tuple(self._of_member(bindings, value))
        if holders.outside:
            self.outside.update(holders.outside)
            return unreadable(f"{value.cls.name} inherits from {holders.outside[0]}, which is not unpacked")
        if holders.unreadable:
            return unreadable(f"{value.cls.name} inherits from {holders.unreadable}, which cannot be read")
        for method in ("__getattr__", "__getattribute__"):
            makers = [cls for cls in holders.classes if cls.module.path not in _PRIVATE_ALONE]
            if any(self._site.program.attributes(cls).get(method) for cls in makers):
                return unreadable(f"{value.cls.name} makes its attributes with {method}")
        if name not in _ENTERING and isinstance(value, Instance):
            for entering in _ENTERING:
                inner = self._member(value, entering)
                results = [] if isinstance(inner, Answer) else [r for v in inner for r in self._results.of(v, value)]
                for result in results:
                    if isinstance(result, Instance) and result.cls is not value.cls:
                        return self._member(result, name)
        if isinstance(value, Instance) and is_supposed(value):
            return unreadable(f"no annotation says that it is a {value.cls.name}, which has no {name}")
        return missing(f"{value.cls.name} has no {name}")

    def _of_member(self, bindings: Iterable[Binding], value: ClassValue | Instance) -> Iterable[Value]:
        receiver = Instance(value.cls)
        for binding in bindings:
            if isinstance(binding.node, ir.Function) and binding.kind == "function":
                if is_property(binding.node):
                    yield from self._results.returned(binding.node, receiver)
                else:
                    yield Func(binding.node, receiver)
            else:
                yield from self._results.of_binding(binding)

    def _of_function(self, value: Func, name: str, steps: tuple[str, ...]) -> Reached:
        """A method under a decorator that nobody knows may be read as an attribute."""
        if value.function.decorators and isinstance(value.function.outer, ir.Class):
            results = self._results.of(value, value.receiver)
            reached = [self._step(result, name, steps) for result in results]
            found = [values for values in reached if not isinstance(values, Answer)]
            if found:
                return tuple(v for values in found for v in values)
        return unreadable(f"{_text(steps[:-1])} is a function, and {name} an attribute of it")

    # ----------------------------------------------------------------------------------------------- calls and elements
    def _called(self, value: Value, steps: tuple[str, ...]) -> Reached:
        match value:
            case ClassValue():
                return (Instance(value.cls),)
            case Func():
                results = self._results.of(value, value.receiver)
            case Instance():
                method = self._member(value, "__call__")
                if isinstance(method, Answer):
                    return method
                results = tuple(r for v in method for r in self._results.of(v, value))
            case _:
                results = ()
        return results or unreadable(f"what {_text(steps)} returns cannot be read")

    def _element(self, value: Value, steps: tuple[str, ...]) -> Reached:
        match value:
            case ClassValue():
                return (value,)
            case Items() | Entries():
                return self._results.elements(value)
            case Instance():
                found = [self._member(value, name) for name in ("__getitem__", "__iter__", "__aiter__")]
                methods = [v for values in found if not isinstance(values, Answer) for v in values]
                results = tuple(r for v in methods for r in self._results.of(v, value))
                return results or unreadable(f"the elements of {_text(steps[:-1])} cannot be read")
            case _:
                return unreadable(f"the elements of {_text(steps[:-1])} cannot be read")

    def _in_elements(self, value: Items | Entries, step: str, steps: tuple[str, ...]) -> Reached:
        """Of what is entered or gone through, only the type of its elements is written."""
        reached = [self._step(inner, step, steps) for inner in self._results.elements(value)]
        found = [values for values in reached if not isinstance(values, Answer)]
        if found:
            return tuple(v for values in found for v in values)
        return unreadable(f"{_text(steps[:-1])} is a container")


def _text(steps: tuple[str, ...]) -> str:
    return ".".join(steps).replace(".()", "()").replace(".[]", "[]")
