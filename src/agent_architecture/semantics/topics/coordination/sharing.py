"""What runs share: containers of modules, classes and lasting objects that agents' code changes, defaults that it
changes, the names under which runs are kept, memories.

States what keeps owners apart; judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names import classes
from agent_architecture.names.mutations import GROWING, changes_of_attribute, changes_of_name, keys_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue, Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.container_limits import code_of, found_by, itself, limits_of, looked_up
from agent_architecture.semantics.bounds.container_parts import is_container, put_into_parts
from agent_architecture.semantics.conversations.container_names import is_counted, words_of
from agent_architecture.semantics.loops.multi_user_code import Served
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.topics.coordination.client_keyed_rows import AskedRows
from agent_architecture.semantics.topics.coordination.made_anew import CONSTRUCTORS, made_for_each
from agent_architecture.semantics.topics.coordination.owned_rows import OwnedRows
from agent_architecture.semantics.topics.coordination.owner_keys import Keys, is_owner
from agent_architecture.semantics.topics.coordination.remembered import Remembered
from agent_architecture.semantics.topics.coordination.remembering_agents import Remembering, put_in_module
from agent_architecture.semantics.topics.coordination.shared_files import OneFile
from agent_architecture.semantics.topics.coordination.shared_writes import Overwritten
from agent_architecture.semantics.topics.coordination.store_entries import Entries
from agent_architecture.semantics.topics.progress.progress import is_kept
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.resilience import Progress
    from agent_architecture.model.system import AgentSystem
    from agent_architecture.names.mutations import Change
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.bounds.container_limits import Limits
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

PLUMBING: Final = regex(
    r"(?:^|_)(?:registry|registered|handlers?|hooks?|plugins?|tools?|routes?|agents?|models?|providers?|factor(?:y|ies)"
    r"|tasks?|listeners?|subscribers?|callbacks?|connections?|clients?|sockets?|locks?|loggers?|metrics?|stats"
    r"|(?<!chat_)(?<!conversation_)(?<!message_)(?<!interaction_)logs?"
    r"|counters?|timings?|spans?|caches?|cached|memo|instances?|loaded|imported|seen|warned|config|settings|classes"
    r"|types|schemas?|env|path|argv|modules|pool|queues?|errors?|warnings?|workers?|threads?|futures?|processes)(?:$|_)"
)
"""What programs keep for themselves: nobody's words, or nobody's alone."""
REGISTER: Final = regex(
    r"(?:^|_)(?:tools?|plugins?|handlers?|hooks?|skills?|commands?|agents?|models?|providers?|functions?|components?"
    r"|adapters?|prompts?|templates?|extensions?|middlewares?)_(?:registry|registrar|catalog)$"
)
"""What classes are called that hold the parts of a program."""
TALKS: Final = regex(
    r"(?:^|_)(?:threads|(?:threads?|agents?|clients?|connections?|sockets?|pool|queues?|tasks?|instances?)(?:$|_(?:map"
    r"|mappings?|by_\w+|pool|table)$))"
)
"""What is a program's own, and by a key of an owner that one's."""
SERVES: Final = regex(r"(?:^|_)(?:agents?|instances?|caches?|cached|executors?|clients?|pool|queues?)(?:$|_)")
"""The same for what answers whoever names the key, where a client does."""
DATA: Final = regex(r"BaseModel|BaseSettings|SQLModel|TypedDict|NamedTuple|Enum|Struct|DeclarativeBase|\.Model$|Base$")
"""Classes of libraries whose fields are copied, or are columns."""
LOCK: Final = regex(r"lock|mutex|semaphore", re.IGNORECASE)
STORES: Final = frozenset({"database", "database_read", "database_write"})
THREAD: Final = "thread_id"
SAVER: Final = "checkpointer"


def shared(work: Work, graphs: Graphs, near: Near, system: AgentSystem) -> tuple[Shared, ...]:
    """Everything that is shared, once for a line."""
    found = _Found(work, graphs, near)
    unkept = frozenset(run.span for run in system.progress if run.unsaved and not is_kept(run))
    own = frozenset(run.span for run in system.progress if found.has_own_store(run))
    every = (
        *found.of_modules(),
        *found.of_classes(),
        *found.defaults(),
        *found.threads(unkept, own),
        *found.of_tools(),
        *found.entries.all(),
        *found.entries.whole(),
        *found.overwritten.all(),
        *found.asked.all(system.memories),
        *found.files.all(),
        *found.remembering.all(),
        *found.remembered.all(system.memories, system.memory_writes),
        *found.remembered.gathered(system),
    )
    return tuple({(one.span.path, one.span.line): one for one in reversed(tuple(_once_a_key(every)))}.values())


def _once_a_key(every: Iterable[Shared]) -> Iterator[Shared]:
    """What is shared, and of the requests of a file that a database gets by one key from one of the same who choose it
    only the first, with the places of the others: one key is one subject (ruling 55).
    """
    keyed: dict[tuple[str, str, str], list[Shared]] = {}
    for one in every:
        if one.what is Sharing.RECORDS and one.key and one.chosen_by:
            keyed.setdefault((one.span.path, one.key, one.chosen_by), []).append(one)
        else:
            yield one
    for group in keyed.values():
        first, *others = sorted(group, key=lambda one: one.span)
        yield first._replace(related=(*first.related, *(one.span for one in others)))


class _Found:
    def __init__(self, work: Work, graphs: Graphs, near: Near) -> None:
        self._work = work
        self._context = work.context
        self._program = work.context.program
        self._near = near
        self._served = Served(work, graphs, with_pages=True)
        self._keys = Keys(work, self._served)
        self._rows = OwnedRows(work.context.program)
        self.asked = AskedRows(work, near, self._keys)
        self.files = OneFile(work, near, self._served)
        self.entries = Entries(work, self._keys, exported=bool(graphs.exported))
        self.overwritten = Overwritten(work, near, self._served)
        self.remembering = Remembering(work, self._served, self._lasts)
        self.remembered = Remembered(work.context.program, near, self._served, self._keys)

    # ----------------------------------------------------------------------------------------------------- containers
    def of_modules(self) -> Iterator[Shared]:
        """Containers of modules that functions change."""
        for module in self._program.modules:
            for name, bindings in self._program.bindings(module).items():
                made = next((b for b in bindings if b.kind == "assign" and is_container(b.value)), None)
                if made is None or self._program.scope_of(made.node) is not module:
                    continue
                every = (*changes_of_name(self._program, module, name), *self._in_parts(module, made))
                changes = [c for c in every if self._counts(c, module) and not self._is_made_before(c, name)]
                yield from self._container(module, name, made, changes, lasting=True)

    def of_classes(self) -> Iterator[Shared]:
        """Containers in the body of a class, which all its objects share, and those of objects that last."""
        for module in self._program.modules:
            for cls in module.index.classes:
                for name, bindings in self._program.attributes(cls).items():
                    made = next((b for b in bindings if b.kind == "assign" and is_container(b.value)), None)
                    if made is None:
                        continue
                    in_body = any(made.node is node for node in cls.body)
                    static = in_body and is_python(cls.span.path) and not _is_made_anew(bindings, cls)
                    static = static and not self._is_data(cls)
                    every = (*changes_of_attribute(self._program, cls, name), *self._in_parts(cls, made))
                    plumbing = PLUMBING.search(words_of(name)) is not None
                    if static and not plumbing and self._is_meant_for_each(every):
                        one = Shared(made.node.span, f"{cls.name}.{name}", "", Sharing.CONTAINER)
                        yield one._replace(related=(every[0].span,))
                        continue
                    changes = [c for c in every if self._counts(c, cls)]
                    if changes and not static and made_for_each(self._program, self._served, cls):
                        continue
                    lasting = static or (bool(changes) and self._lasts(cls))
                    yield from self._container(cls, f"{cls.name}.{name}", made, changes, lasting=lasting)

    def _in_parts(self, owner: ir.Module | ir.Class, made: Binding) -> Iterator[Change]:
        """What is put into parts of a table that makes them by itself: `defaultdict(list)`."""
        if next(looked_up(self._program, owner, made), None) is not None:
            is_it = itself(self._program, owner, made)
            yield from (put.node for put in put_into_parts(self._program, code_of(owner), is_it))

    def _counts(self, change: Change, owner: ir.Scope | ir.Class) -> bool:
        """Whether a change is made in a function, for an agent, and for several users."""
        scope = self._program.scope_of(change)
        if not isinstance(scope, ir.Function) or (isinstance(owner, ir.Class) and scope.name in CONSTRUCTORS):
            return False
        return self._near.to_agent(scope) and self._served.of(scope)

    def _is_made_before(self, change: Change, name: str) -> bool:
        """Whether the function that changes a name of its module has made it anew by then: `found = []` after `global
        found`.
        """
        scope = self._program.scope_of(change)
        return any(
            isinstance(made.target, ir.Name)
            and made.target.id == name
            and is_container(made.value)
            and self._program.structure(scope).dominates(made, change)
            for made in own_nodes(scope, ir.Assign)
        )

    def _container(
        self, owner: ir.Module | ir.Class, name: str, made: Binding, changes: list[Change], *, lasting: bool
    ) -> Iterator[Shared]:
        keys = [key for change in changes for key in keys_of(change)]
        keys = keys or [key for key in looked_up(self._program, owner, made) if changes]
        keys = keys or [key for key in found_by(self._program, owner, made) if changes]
        owners = [key for key in keys if is_owner(key)]
        words = words_of(name.rpartition(".")[2])
        whose = self._keys.chosen_by(owners[0]) if owners else ""
        is_own = PLUMBING.search(words) or (not owners and REGISTER.search(words_of(name.rpartition(".")[0])))
        is_kept = bool(owners) and (TALKS.search(words) or (whose == "client" and SERVES.search(words)))
        if not changes or (is_own and not is_kept) or (not owners and is_counted(*_parts(name))):
            return
        span, related = made.node.span, (changes[0].span,)
        if owners:
            one = Shared(span, name, "", Sharing.CONTAINER, _written(owners[0]), chosen_by=whose, related=related)
            yield _limited(one, limits_of(self._context, owner, made))
            return
        same = bool(keys) and all(isinstance(key, ir.Literal) for key in keys)
        if keys and not same:
            return  # a table by something that is nobody's: a query, a name, an address
        if lasting:
            named = _written(keys[0]) if keys else ""
            locked = all(map(self._is_locked, changes))
            step = Confidence.HIGH if "." not in name else Confidence.MEDIUM
            one = Shared(span, name, "", Sharing.CONTAINER, named, same, "", locked, related=related, confidence=step)
            yield _limited(one, limits_of(self._context, owner, made))

    def _is_meant_for_each(self, changes: tuple[Change, ...]) -> bool:
        """Whether methods change a container of the class body as if each object had its own: `self.x.append(y)`."""
        named = [dotted(_changed_whole(change)) for change in changes]
        scopes = [self._program.scope_of(change) for change in changes]
        return bool(named) and all(name.startswith("self.") for name in named) and any(map(self._near.to_agent, scopes))

    def _is_locked(self, change: Change) -> bool:
        structure = self._program.structure(self._program.scope_of(change))
        around: Iterator[ir.With] = structure.enclosing(change, ir.With)
        return any(LOCK.search(dotted(item.value)) for one in around for item in one.items)

    def _is_data(self, cls: ir.Class) -> bool:
        """Whether a class only describes data: its defaults are copied for each object."""
        base = classes.library_base(self._program, cls)
        named = " ".join(dotted(each) for each in (*cls.bases, *cls.decorators))
        copies = base is not None and DATA.search(base.path) is not None
        return cls.kind != "class" or copies or re.search(r"dataclass|define|Model|TypedDict", named) is not None

    def _lasts(self, cls: ir.Class) -> bool:
        """Whether a module keeps an object of a class, or all objects of it are made when a program starts."""
        made = [
            site
            for site in self._program.calls(cls.name)
            if any(value == ClassValue(cls) for value in self._program.value_of(site.call.callee))
        ]
        roles = {Role.APP, cls.module.role}
        if any(isinstance(site.scope, ir.Module) and site.scope.role in roles for site in made):
            return True
        if any(put_in_module(self._program, site.call, site.scope) for site in made):
            return True
        return bool(made) and all(self._starts(site.scope) for site in made)

    def _starts(self, scope: ir.Scope) -> bool:
        """Whether code runs when a program starts, and for no request: a file that is run calls the function."""
        above = tuple(self._served.above(scope))
        called = (site for each in above for site in self._program.callers(each) if not site.escapes)
        runs = any(isinstance(site.scope, ir.Module) and site.scope.role is Role.APP for site in called)
        return runs and not self._served.of(scope)

    # ------------------------------------------------------------------------------------------------------- defaults
    def defaults(self) -> Iterator[Shared]:
        """Lists and mappings that are parameters' defaults in Python, and that their function changes."""
        for module in self._program.modules:
            for function in module.index.functions if is_python(module.path) else ():
                for param in function.params:
                    made = is_container(param.default) or _is_set(param.default)
                    if not made or not self._near.to_agent(function):
                        continue
                    change = next((c for c in _changed(function, param.name)), None)
                    if change is not None:
                        symbol = f"{function.name}({param.name})"
                        yield Shared(param.span, symbol, "", Sharing.DEFAULT, grows=True, related=(change.span,))

    # -------------------------------------------------------------------------------------------- threads and memories
    def has_own_store(self, run: Progress) -> bool:
        """Whether a run is kept in memory that the function which runs it makes for it: nobody else comes to that."""
        functions = {id(scope_at(self._program, place)) for place in (run.span, *(s.span for s in run.savers))}
        in_memory = bool(run.savers) and all(saver.persists is False for saver in run.savers)
        return in_memory and len(functions) == 1 and isinstance(scope_at(self._program, run.span), ir.Function)

    def threads(self, unkept: frozenset[Span], own: frozenset[Span]) -> Iterator[Shared]:
        """The names under which runs are kept; of a graph that is compiled without a saver nothing is, nor of one in a
        store of its `own`.
        """
        for match in self._context.of_kind("run", "kept_run"):
            if match.node.span in own:
                continue
            if match.node.span in unkept and any(
                SAVER in one.row.relations for one in run_agents(self._context, match)
            ):
                continue
            symbol = dotted(match.node.callee) if isinstance(match.node, ir.Call) else ""
            yield from self._keys_of(match, Shared(match.node.span, symbol, match.row.where.pack, Sharing.THREAD))

    def _keys_of(self, match: Match, run: Shared) -> Iterator[Shared]:
        """The keys of a run. Where a client chooses, what is taken when it sends none is no key of its own."""
        values = written_values(self._context, match, THREAD)
        named = () if all(isinstance(value, Const) for value in values) else tuple(self._keys.of_thread(match))
        for expr, origin in named:
            if not isinstance(expr, ir.Literal):
                yield run._replace(span=expr.span, key=_written(expr), chosen_by=origin)
        for value in values if not any(origin == "client" for _, origin in named) else ():
            is_name = isinstance(value, Const) and isinstance(value.value, (str, int))
            if isinstance(value, Const) and is_name and not isinstance(value.value, bool):
                yield run._replace(span=value.span, key=repr(value.value), constant=True)

    def of_tools(self) -> Iterator[Shared]:
        """Tools that look up, by an owner or a row that the model names, what a database keeps for many."""
        is_agent = any(True for _ in self._context.of_kind("run", "model_call"))
        for tool in self._work.agents.all_tools() if is_agent else ():
            function = self._work.agents.code.get(id(tool))
            if function is None or not any(effect.kind in STORES for effect in tool.effects):
                continue
            if self._rows.asks_whose_by(function, tool.parameters):
                continue
            for param in function.params:
                if param.name in tool.parameters and self._keys.names_owner(function, param):
                    symbol = f"{tool.symbol}"
                    yield Shared(tool.span, symbol, tool.framework, Sharing.RECORDS, param.name, chosen_by="model")
                    break
            else:
                row = self._rows.named_by_model(function, tool.parameters)
                if row:
                    yield Shared(tool.span, tool.symbol, tool.framework, Sharing.RECORDS, row, chosen_by="model")


def _parts(name: str) -> tuple[str, str]:
    """The class of an attribute that is called `Class.name`, and its own name."""
    cls, _, own = name.rpartition(".")
    return cls, own


def _is_set(value: ir.Expr | None) -> bool:
    """Whether it makes a set: what was seen before, mostly, and by a default for all calls."""
    return isinstance(value, ir.Call) and callee_name(value.callee) == "set"


def _limited(one: Shared, limits: Limits) -> Shared:
    deletes, passing = limits.deletes, limits.passing
    return one._replace(
        grows=not one.constant, bound=limits.bound, overflow=limits.overflow, deletes=deletes, passing=passing
    )


def _is_made_anew(bindings: Iterable[Binding], cls: ir.Class) -> bool:
    """Whether each object gets a container of its own when it is made."""
    makers = [node for node in cls.body if isinstance(node, ir.Function) and node.name in CONSTRUCTORS]
    return any(maker.span.contains(binding.node.span) for binding in bindings for maker in makers)


def _changed_whole(change: Change) -> ir.Expr:
    """What a change puts something into."""
    if isinstance(change, ir.Assign):
        return change.target.target if isinstance(change.target, (ir.Index, ir.Member)) else change.target
    return change.callee.target if isinstance(change.callee, ir.Member) else change.callee


def _changed(function: ir.Function, name: str) -> Iterator[ir.Node]:
    for node in own_nodes(function):
        match node:
            case ir.Call(callee=ir.Member(name=method, target=ir.Name(id=target))) if (
                target == name and method in GROWING
            ):
                yield node
            case ir.Assign(target=ir.Index(target=ir.Name(id=target))) if target == name:
                yield node
            case ir.Assign(target=ir.Name(id=target), op=ir.Op.ADD) if target == name:
                yield node
            case _:
                continue


def _written(expr: ir.Expr) -> str:
    return dotted(expr) or (repr(expr.value) if isinstance(expr, ir.Literal) else "a key")
