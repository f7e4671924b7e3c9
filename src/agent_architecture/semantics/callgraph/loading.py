"""What loading a module does: whether it is a program, or offers something to who finds it; what it only sets up says
nothing of that.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import Outside
from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

ASKED: Final = (
    r"register\w*|GET|HEAD|OPTIONS|PATCH|POST|PUT|DELETE|loader|action|load|metadata|revalidate|generateMetadata|"
    r"generateStaticParams|getServerSideProps|getStaticProps|getStaticPaths|handle|fetch|scheduled|setup|activate|"
    r"deactivate|init|up|down|upgrade|downgrade|run|lambda_\w+|on(?:_|[A-Z])\w*|pytest_\w+"
)
OFFERED: Final = regex(
    r"(?i:default|(?:\w*_)?(?:app|application|api|server|router|routes|handler|bot|mcp|cli|graph|agent|workflow|main|"
    r"celery|worker|blueprint|bp|urlpatterns|plugin|extension|config|settings|middleware|queue|scheduler))|"
    r"\w*(?:App|Application|Api|Server|Router|Routes|Handler|Bot|Graph|Agent|Workflow|Worker|Plugin|Extension|Config|"
    r"Tool|Tools|Toolkit|Middleware)|" + ASKED
)
"""Names that something outside of the code may ask a module for."""
WELL_KNOWN: Final = regex(
    r"(?i:default|app|application|api|server|router|routes|handler|bot|mcp|cli|(?:\w*_)?graph|root_agent|agent|workflow|"
    r"main|celery|worker|blueprint|bp|urlpatterns|plugin|extension|config|settings|middleware|queue|scheduler)|" + ASKED
)
"""Those of them that are asked for by these names alone."""
MADE: Final = regex(
    r"_?(?:build|create|get|init|load|make|new|setup)_\w+_\w+|_?(?:build|create|make|new)[A-Z][a-z]+[A-Z]\w*"
)
"""Names of functions that make something: servers ask for `create_app` and `make_graph`, the others are called."""
MAKES: Final = regex(r"_?(?:build|create|get|init|load|make|new|setup)(?:_\w+|[A-Z]\w*)")
"""Names of all functions that make something."""
ASKED_METHODS: Final = regex(ASKED)
"""Those of methods: a library may ask any object for what has these names."""
ROUTERS: Final = frozenset({"APIRouter", "Blueprint", "Router"})
"""Calls of libraries that make something which an application has to mount before it answers anybody."""
DATA: Final = frozenset({"BaseModel", "Enum", "IntEnum", "NamedTuple", "StrEnum", "TypedDict"})
"""Classes of which others are made that hold values."""
NO_REGISTER: Final = frozenset(
    {
        "abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod", "contextmanager",
        "dataclass", "deprecated", "final", "getter", "lru_cache", "override", "overload", "property",
        "runtime_checkable", "setter", "staticmethod", "total_ordering", "wraps",
    }
)  # fmt: skip
"""Decorators of the language's own library: what has them is found by its name alone."""


def is_offered(name: str) -> bool:
    """Whether something outside of the code may ask a module for what has this name."""
    return OFFERED.fullmatch(name) is not None and (
        MADE.fullmatch(name) is None or ASKED_METHODS.fullmatch(name) is not None
    )


def is_asked_for(name: str) -> bool:
    """Whether something outside of the code may ask a module that others of the project import for what has this name:
    what makes something, and what is always asked for. `resume_agent` is called.
    """
    return WELL_KNOWN.fullmatch(name) is not None or (MAKES.fullmatch(name) is not None and is_offered(name))


def acts(  # noqa: PLR0913, PLR0917 - what is known of the module, part by part
    program: Program,
    module: ir.Module,
    elsewhere: frozenset[str],
    wrapping: Container[Span] = (),
    importers: Collection[str] = (),
    routers: Container[str] = frozenset(),
) -> bool:
    """Whether loading a module does something, or makes something that others ask for by its name, unless they take
    what is called so from `elsewhere`. Decorators at the places of `wrapping` hand to nobody what they stand above.
    What has `importers` is asked for by them, and by others only for what they always ask for. What `routers` are given
    waits until somebody mounts these.
    """
    offered = WELL_KNOWN.fullmatch if importers else is_offered
    data = {each.name for each in module.index.classes if is_data(each)}
    exports = (export for export in module.index.exports if export.local is None or export.local not in routers)
    offers = (export.exported for export in exports if export.exported not in elsewhere | data)
    definitions: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
    own = _Own(program, module) if definitions else None
    return (
        any(map(offered, offers))
        or any(_does(node, elsewhere, own, offered) for node in module.body if not fills(node, routers))
        or any(_registers(each, wrapping, routers) for each in definitions if _is_made(each))
    )


def routers_of(program: Program, module: ir.Module) -> frozenset[str]:
    """The names that a module gives to routers of libraries."""
    made = {
        node.target.id: node.value.callee
        for node in module.body
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and isinstance(node.value, ir.Call)
    }
    bindings = program.bindings(module)
    return frozenset(
        name
        for name, callee in made.items()
        if callee_name(callee) in ROUTERS
        and len(bindings.get(name, ())) == 1
        and all(isinstance(binding.node, ir.Import) for binding in bindings.get(_root(callee), ()))
    )


def _root(expr: ir.Expr) -> str:
    """`express` of `express.Router`."""
    while isinstance(expr, ir.Member):
        expr = expr.target
    return expr.id if isinstance(expr, ir.Name) else ""


def fills(statement: ir.Node, routers: Container[str]) -> bool:
    """Whether a statement of a module makes a router, puts something on it, or hands it on as what the module is."""
    match statement:
        case ir.Assign(target=ir.Name(id=name)):
            return name in routers
        case ir.Assign(target=ir.Member(name="exports"), value=ir.Name(id=name)):
            return name in routers
        case ir.Call(callee=ir.Member(target=ir.Name(id=name))):
            return name in routers
        case _:
            return False


def is_data(cls: ir.Class) -> bool:
    """Whether a class only says what values are made of: nobody asks for it by its name."""
    return any(callee_name(base) in DATA for base in cls.bases)


def _does(
    statement: ir.Node, elsewhere: frozenset[str], own: _Own | None, offered: Callable[[str], object] = is_offered
) -> bool:
    """Whether a statement of a module does more than to define and to import something, and to set up the process."""
    match statement:
        case ir.Import() | ir.Export() | ir.Function() | ir.Class() | ir.Literal() | ir.Raise():
            return False
        case ir.Assign(target=ir.Name(id=name)):
            return not (name in elsewhere or name.startswith("_")) and bool(offered(name))
        case ir.Assign(target=ir.Map() | ir.List()):
            return False
        case ir.If(then=then, otherwise=otherwise):
            return any(_does(node, elsewhere, own, offered) for node in (*then, *otherwise))
        case ir.Try():
            handlers = (node for one in statement.handlers for node in one.body if not _stands_in(node))
            parts = (*statement.body, *handlers)
            return any(
                _does(node, elsewhere, own, offered) for node in (*parts, *statement.otherwise, *statement.final)
            )
        case ir.With(body=body) if any(isinstance(node, ir.Import) for node in body):
            return any(_does(node, elsewhere, own, offered) for node in body)  # it says how the rest is imported
        case _:
            return own is None or not own.sets_up(statement)


def _stands_in(statement: ir.Node) -> bool:
    """Whether a statement says what a name is where an import fails: nothing that can be asked for."""
    return isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Literal)


def _is_made(definition: ir.Function | ir.Class) -> bool:
    """Whether loading the module makes a function or class: those inside of functions are made when these run."""
    return not isinstance(definition.outer, ir.Function)


def _registers(definition: ir.Function | ir.Class, wrapping: Container[Span], routers: Container[str]) -> bool:
    """Whether something is said above a definition: it may be handed to a registry."""
    said = [
        each.callee if isinstance(each, ir.Call) else each
        for each in definition.decorators
        if each.span not in wrapping
    ]
    names = (callee_name(each) for each in said if not (isinstance(each, ir.Member) and _root(each) in routers))
    return any(name not in NO_REGISTER for name in names)


class _Own:
    """The names of a module that stand for something of its own or of the project: who calls or hands on one of them
    does what the module is for. A statement without them sets up the process: `load_dotenv()`,
    `logging.basicConfig(level=LEVEL)`, `os.environ["X"] = "1"`.
    """

    def __init__(self, program: Program, module: ir.Module) -> None:
        self._targets = partial(program.exports.specifiers.targets, module)
        self._names: set[str] = set()
        self._packages: set[str] = set()
        for name, found in program.bindings(module).items():
            imports = [
                target
                for binding in found
                if isinstance(binding.node, ir.Import)
                for target in self._targets(binding.node)
            ]
            if not all(isinstance(binding.node, ir.Import) for binding in found):
                values = [binding.value for binding in found]
                if not all(value is not None and self._is_plain(value) for value in values):
                    self._names.add(name)
            elif not all(isinstance(target, Outside) for target in imports):
                self._names.add(name)
            elif any(isinstance(target, Outside) and is_foreign(target.path) for target in imports):
                self._packages.add(name)

    def sets_up(self, statement: ir.Node) -> bool:
        """Whether a statement calls or sets something of others, with nothing that is the module's own."""
        asked = statement.value if isinstance(statement, ir.Await) else statement
        is_set = isinstance(asked, ir.Assign) and isinstance(asked.target, (ir.Member, ir.Index))
        return (is_set or isinstance(asked, ir.Call)) and self._is_free(asked)

    def _is_free(self, node: ir.Node) -> bool:
        return not any(
            isinstance(each, (ir.Function, ir.Class)) or (isinstance(each, ir.Name) and each.id in self._names)
            for each in ir.walk(node)
        )

    def _is_plain(self, value: ir.Expr) -> bool:
        """Whether the language alone makes a value: a constant, a setting, a path, a logger."""
        names = (each for each in ir.walk(value) if isinstance(each, ir.Name))
        return self._is_free(value) and not any(name.id in self._packages for name in names)
