"""What types alone say of a call: which method it runs, and which it does not; else values decide."""

from pathlib import Path

from values_project import callers_of, function_named, open_program, python

STORES = """
        class Store:
            def read(self):
                return 1
        class Other:
            def read(self):
                return 2
"""


def test_a_type_names_the_method_that_a_call_runs(tmp_path: Path) -> None:
    text = f"""{STORES}
        class Shop:
            def __init__(self, store: Store) -> None:
                self._store = store
            def open(self) -> "Store | None":
                return self._store.read()
        def by_parameter(store: Store):
            return store.read()
        def by_result(shop: Shop):
            return shop.open().read()
        def of_the_language(names: dict[str, int], path: str = ""):
            return names.read(), path.strip().read()
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Store.read") == ["a.py:12", "a.py:14", "a.py:16"]
    assert callers_of(program, "Other.read") == []


def test_callers_of_a_method_do_not_rest_on_those_of_the_functions_that_call_it(tmp_path: Path) -> None:
    text = f"""{STORES}
        def ask(store: Store):
            return store.read()
        def lead(store: Store):
            return ask(store)
        lead(Store())
    """
    program = open_program(tmp_path, {"a.py": text})
    asked = []
    calling_it = program._calling_it
    program._caller = program._caller._replace(
        work=lambda function: asked.append(function.name) or calling_it(function)
    )
    program.callers(function_named(program, "Store.read"))
    assert asked == ["read"]


def test_where_a_type_leaves_it_open_values_decide(tmp_path: Path) -> None:
    text = """
        from typing import Protocol
        class Reads(Protocol):
            def read(self): ...
        class Base:
            def read(self):
                return 0
        class Leaf(Base):
            def read(self):
                return 1
        class Table(dict):
            def get(self, key):
                return key
        class Holder:
            def __init__(self, read):
                self.read = read
        def own():
            return 3
        def by_protocol(one: Reads):
            return one.read()
        def by_base(base: Base):
            return base.read()
        def by_dictionary(table: dict):
            return table.get("a")
        def by_attribute(holder: Holder):
            return holder.read()
        def stored(base: Base):
            base.read = own
            return base.read()
        by_protocol(Leaf())
        by_base(Leaf())
        by_dictionary(Table())
        by_attribute(Holder(own))
        stored(Base())
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Leaf.read") == ["a.py:19", "a.py:21"]
    assert callers_of(program, "Base.read") == []
    assert callers_of(program, "Table.get") == ["a.py:23"]
    assert callers_of(program, "own") == ["a.py:25", "a.py:28"]


def test_a_name_that_is_given_anew_out_of_itself_ends(tmp_path: Path) -> None:
    text = """
        class Node:
            def up(self) -> "Node":
                return self.parent
        def climb(node: Node):
            while node:
                node = node.up().up()
            return node.up()
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Node.up") == ["a.py:6", "a.py:6", "a.py:7"]


def test_types_of_typescript(tmp_path: Path) -> None:
    text = """
        class Store { read() { return 1 } }
        class Other { read() { return 2 } }
        interface Reads { read(): number }
        function byType(store: Store) { return store.read() }
        function byInterface(one: Reads) { return one.read() }
        function ofTheLanguage(names: Map<string, number>) { return names.read() }
        byInterface(new Other())
    """
    program = open_program(tmp_path, {"a.ts": text})
    assert callers_of(program, "Store.read") == ["a.ts:4"]
    assert callers_of(program, "Other.read") == ["a.ts:5"]


def test_a_protocol_stands_for_classes_that_have_all_of_it_and_take_what_it_takes(tmp_path: Path) -> None:
    text = """
        from typing import Protocol
        class Order: ...
        class Invoice: ...
        class Worker(Protocol):
            kind: str
            def run(self, order: Order) -> str: ...
        class Printer:
            def __init__(self):
                self.kind = "printer"
            def run(self, order):
                return "printed"
        class Base:
            def run(self, order: Order, loud=False):
                return "packed"
        class Packer(Base):
            kind = "packer"
        class Service:
            def run(self, order: Order):
                return "no kind"
        class Clerk:
            kind = "clerk"
            def run(self, invoice: Invoice):
                return "another thing"
        class Many:
            kind = "many"
            def run(self, order: Order, other):
                return "needs more"
        def f(worker: Worker):
            show(worker.run(Order()))
    """
    assert python(tmp_path, text) == ["'packed' | 'printed'"]
