"""Which files of a project can run in one process: those that some file leads to by imports.

A project may hold several programs, each with a file that starts it. What one of them switches on says nothing of the
others; but files are also loaded by names that are not in the code, so two are apart only where both are started alone,
or where one is set up by itself in a folder of its own (`deployments`) that the other's program loads nothing of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.loads import loads
from agent_architecture.names.reached import reached
from agent_architecture.semantics.callgraph.deployments import deployments
from agent_architecture.semantics.matching.environment import assigned
from agent_architecture.sources.languages import CODE, is_notebook
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.environment import Assigned


class Programs:
    """Answers whether two files are parts of different programs. Reads imports when it is first asked."""

    def __init__(self, context: Context) -> None:
        program = context.program
        self._context = context
        self._modules = {m.path: m for m in program.modules if m.language in CODE}
        self._loads: dict[str, list[str]] | None = None
        self._importers: dict[str, list[str]] | None = None
        self._loaded_beside: dict[str, tuple[frozenset[str], bool]] = {}
        self._starts: frozenset[str] | None = None
        self._started: frozenset[str] | None = None
        self._deployments = context.once(deployments)
        self._deployed: dict[str, frozenset[str]] = {}
        self._apart: dict[tuple[str, str], bool] = {}

    def apart(self, one: str, other: str) -> bool:
        """Whether what one file sets says nothing of what another does: each is started by programs of its own, and
        none loads both; or the one is deployed by itself, and whatever loads the other loads nothing of that.
        """
        key = (one, other)
        if key not in self._apart:
            started = self.is_started_without(one, other) and other in self._in_programs()
            self._apart[key] = started or self._is_of_others(one, other)
        return self._apart[key]

    def _is_of_others(self, one: str, other: str) -> bool:
        folder = self._deployments.of(one)
        return bool(folder) and folder not in self._deployed_beside(other)

    def _deployed_beside(self, path: str) -> frozenset[str]:
        """The deployed folders of which a file or something beside it is loaded."""
        if path not in self._deployed:
            around = map(self._deployments.around, {path, *self.beside(path)})
            self._deployed[path] = frozenset().union(*around)
        return self._deployed[path]

    def is_started_without(self, one: str, other: str) -> bool:
        """Whether programs start the one file, and nothing loads both."""
        if one == other or one not in self._modules or other not in self._modules:
            return False
        beside, is_started = self._beside(one)
        return is_started and other not in beside

    def is_started_alone(self, path: str) -> bool:
        """Whether a file does something when it is started, and no other one loads it."""
        return path in self._starting() and not self._loaders()[path]

    def beside(self, path: str) -> frozenset[str]:
        """All that some file loads together with this one."""
        return self._beside(path)[0] if path in self._modules else frozenset({path})

    def load_any(self, path: str, files: AbstractSet[str]) -> bool:
        """Whether something that loads a file loads one of these, too: a program without them has nothing to do with
        what they hold.
        """
        return not files.isdisjoint(self.beside(path))

    def loads_any(self, path: str, files: AbstractSet[str]) -> bool:
        """Whether a file that is started by itself loads one of these."""
        own = _closure(self._edges(), (path,)) if path in self._modules else frozenset({path})
        return not files.isdisjoint(own)

    def beside_any(self, files: Iterable[str]) -> frozenset[str]:
        """All that is loaded together with one of these files."""
        return frozenset().union(*map(self.beside, files))

    def around(self, path: str) -> frozenset[str]:
        """A file, those that load it, directly or through others, and what each of these imports by itself."""
        if path not in self._modules:
            return frozenset({path})
        loading, edges = _closure(self._loaders(), (path,)), self._edges()
        return loading | {target for one in loading for target in edges[one]}

    def _beside(self, path: str) -> tuple[frozenset[str], bool]:
        """All that some file loads together with this one, and whether one of those files runs something."""
        if path not in self._loaded_beside:
            loading = _closure(self._loaders(), (path,))
            self._loaded_beside[path] = _closure(self._edges(), loading), not self._starting().isdisjoint(loading)
        return self._loaded_beside[path]

    def _in_programs(self) -> frozenset[str]:
        """All that the files load which run something."""
        if self._started is None:
            self._started = _closure(self._edges(), self._starting())
        return self._started

    def _edges(self) -> Mapping[str, Sequence[str]]:
        """What each file loads."""
        if self._loads is None:
            self._loads = {
                path: [target for target in self._loaded_by(module) if target in self._modules]
                for path, module in self._modules.items()
            }
        return self._loads

    def _loaders(self) -> Mapping[str, Sequence[str]]:
        """The files that load each file."""
        if self._importers is None:
            self._importers = {path: [] for path in self._modules}
            for path, targets in self._edges().items():
                for target in targets:
                    self._importers[target].append(path)
        return self._importers

    def _loaded_by(self, module: ir.Module) -> Iterator[str]:
        """What a file imports, with the packages around it, which Python loads first."""
        yield from loads(self._context.program, module)
        if module.language is Language.PYTHON:
            folder = module.path.rpartition("/")[0]
            while folder:
                yield f"{folder}/__init__.py"
                folder = folder.rpartition("/")[0]

    def _starting(self) -> frozenset[str]:
        """The files that run something when they are started."""
        if self._starts is None:
            scopes = (self._context.program.scope_of(m.node) for m in self._context.of_kind("run", "model_call"))
            outside = {scope.path for scope in scopes if isinstance(scope, ir.Module)}
            self._starts = frozenset(p for p, module in self._modules.items() if p in outside or runs_itself(module))
        return self._starts


def assigned_for(context: Context, at: str) -> tuple[Assigned, ...]:
    """What the project sets in the environment of the programs that have to do with a file."""
    programs = context.once(Programs)
    return tuple(one for one in assigned(context) if not programs.apart(one.path, at))


def _closure(edges: Mapping[str, Sequence[str]], start: Iterable[str]) -> frozenset[str]:
    """The files to start from and all that the edges lead to."""
    return frozenset(reached(start, lambda each: edges[each]))


def runs_itself(module: ir.Module) -> bool:
    """Whether a file does something of its own when it is started: under `__name__ == "__main__"`, a notebook, or a
    statement that calls one of its functions, outside of all functions.
    """
    if is_notebook(module.path):
        return True
    own = {function.name for function in module.index.functions if function.outer is module} - {""}
    for statement in module.body:
        if isinstance(statement, ir.If) and is_main_test(statement, module):
            return True
        calls = ir.walk(statement) if isinstance(statement, (ir.Call, ir.Await)) else ()
        if any(isinstance(n, ir.Call) and isinstance(n.callee, ir.Name) and n.callee.id in own for n in calls):
            return True
    return False


def is_main_test(statement: ir.If, module: ir.Module) -> bool:
    """Whether a branch of a module is taken where its file is started: `if __name__ == "__main__":`, also by a name of
    the module's own (`const isMain = process.argv[1] === fileURLToPath(import.meta.url)`).
    """
    said = {
        node.target.id: node.value
        for node in module.body
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.value is not None
    }
    named = (said[part.id] for part in ir.walk(statement.test) if isinstance(part, ir.Name) and part.id in said)
    return asks_if_main(statement.test) or any(map(asks_if_main, named))


def asks_if_main(test: ir.Expr) -> bool:
    """Whether a test asks if its file is the one that was started."""
    return any(map(_is_main, ir.walk(test)))


def _is_main(node: ir.Node) -> bool:
    """`__name__ == "__main__"`, `require.main === module`, `import.meta.main`, `process.argv[1] === __filename`."""
    match node:
        case ir.Member(name="main") | ir.Name(id="__name__"):
            return True
        case ir.Operator(op=ir.Op.EQ | ir.Op.IS, operands=operands):
            return any(map(_is_started_file, operands)) and not any(isinstance(one, ir.Literal) for one in operands)
        case ir.Call(callee=ir.Member(name="endsWith" | "includes", target=target)):
            return _is_started_file(target)
        case _:
            return False


def _is_started_file(node: ir.Expr) -> bool:
    """`process.argv[1]`, as it is or within a call that makes a path or an address of it."""
    parts = (part for part in ir.walk(node) if isinstance(part, ir.Index))
    return any(
        isinstance(part.target, ir.Member)
        and part.target.name == "argv"
        and isinstance(part.target.target, ir.Name)
        and part.target.target.id == "process"
        and isinstance(part.key, ir.Literal)
        and part.key.value == 1
        for part in parts
    )
