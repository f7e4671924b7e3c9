"""Objects: attributes, fields given to constructors, inheritance, factories, annotations."""

from pathlib import Path

from values_project import python, script, shown


def test_an_attribute_set_in_the_constructor_is_what_was_passed(tmp_path: Path) -> None:
    text = """
        class Runner:
            limit = 3
            def __init__(self, steps, retries=2):
                self.steps = steps
                self.retries = retries
            def run(self):
                show(self.steps)
                show(self.retries)
                show(self.limit)
        Runner(5).run()
    """
    assert python(tmp_path, text) == ["5", "2", "3"]


def test_an_attribute_set_in_the_constructor_is_what_was_passed_in_scripts(tmp_path: Path) -> None:
    text = """
        class Runner {
          limit = 3;
          constructor(private readonly steps: number, retries = 2) { this.retries = retries; }
          run() { show(this.steps); show(this.retries); show(this.limit); }
        }
        new Runner(5).run();
    """
    assert script(tmp_path, text) == ["5", "2", "3"]


def test_fields_of_a_dataclass_are_what_the_constructor_call_gives(tmp_path: Path) -> None:
    text = """
        from dataclasses import dataclass, field
        @dataclass
        class Config:
            steps: int
            retries: int = 2
            tools: list = field(default_factory=list)
            mode: str = field(default="fast")
        c = Config(5, mode="slow")
        show(c.steps)
        show(c.retries)
        show(c.tools)
        show(c.mode)
        show(Config(steps=6).mode)
    """
    assert python(tmp_path, text) == ["5", "2", "[]", "'slow'", "'fast'"]


def test_fields_of_a_model_with_a_library_base_count_too(tmp_path: Path) -> None:
    text = """
        from pydantic import BaseModel, Field
        class Base(BaseModel):
            steps: int = Field(10, ge=1)
        class Config(Base):
            name: str
        show(Config(name="a").steps)
        show(Config(name="a", steps=3).steps)
        show(Config(name="a").name)
    """
    assert python(tmp_path, text) == ["10", "3", "'a'"]


def test_fields_behind_an_unreadable_mapping_are_the_default_and_unknown(tmp_path: Path) -> None:
    text = """
        from dataclasses import dataclass
        @dataclass
        class Config:
            steps: int = 2
        def f(options):
            show(Config(**options).steps)
            show(Config(**{"steps": 4}).steps)
            show(Config(**{"other": 4}).steps)
    """
    assert python(tmp_path, text) == ["2 | ? arguments that are spread into a call", "4", "2"]


def test_a_field_of_self_is_what_any_construction_gives(tmp_path: Path) -> None:
    files = {
        "config.py": """
            from dataclasses import dataclass
            @dataclass
            class Config:
                steps: int = 2
                def use(self):
                    show(self.steps)
        """,
        "main.py": "from config import Config\nConfig(steps=4).use()\nConfig().use()",
    }
    assert shown(tmp_path, files) == ["2 | 4"]


def test_named_tuples_and_typed_dictionaries_are_read_by_position_and_key(tmp_path: Path) -> None:
    text = """
        from typing import NamedTuple, TypedDict
        class Pair(NamedTuple):
            steps: int
            name: str = "x"
        class Config(TypedDict):
            steps: int
        a, b = Pair(5)
        show(a)
        show(b)
        show(Pair(6).steps)
        show(Config(steps=7)["steps"])
    """
    assert python(tmp_path, text) == ["5", "'x'", "6", "7"]


def test_the_nearest_class_that_has_an_attribute_counts(tmp_path: Path) -> None:
    text = """
        class Base:
            steps = 1
            retries = 9
        class Middle(Base):
            steps = 2
        class Leaf(Middle):
            pass
        show(Leaf().steps)
        show(Leaf().retries)
        show(Leaf.steps)
    """
    assert python(tmp_path, text) == ["2", "9", "2"]


def test_self_of_a_base_may_be_a_subclass_but_a_made_object_is_not(tmp_path: Path) -> None:
    text = """
        class Base:
            def use(self):
                show(self.steps)
                show(self.step())
            def step(self):
                return 1
        class Leaf(Base):
            steps = 2
            def step(self):
                return 2
        show(Base().step())
    """
    assert python(tmp_path, text) == ["2", "1 | 2", "1"]


def test_an_abstract_method_stands_for_what_implements_it(tmp_path: Path) -> None:
    text = """
        from abc import ABC, abstractmethod
        from typing import Protocol
        class Model(ABC):
            @abstractmethod
            def name(self):
                ...
        class Big(Model):
            def name(self):
                return "big"
        class Named(Protocol):
            def title(self) -> str: ...
        class Book:
            def title(self):
                return "book"
        def f(model: Model, named: Named):
            show(model.name())
            show(named.title())
    """
    assert python(tmp_path, text) == ["'big'", "'book'"]


def test_a_method_of_an_interface_stands_for_what_implements_it(tmp_path: Path) -> None:
    text = """
        interface Model { name(): string }
        class Big implements Model { name() { return "big"; } }
        abstract class Tool { abstract title(): string; }
        class Hammer extends Tool { title() { return "hammer"; } }
        function f(model: Model, tool: Tool) { show(model.name()); show(tool.title()); }
    """
    assert script(tmp_path, text) == ["'big'", "'hammer'"]


def test_super_looks_in_the_bases_only(tmp_path: Path) -> None:
    text = """
        class Base:
            def __init__(self, steps):
                self.steps = steps
            def limit(self):
                return 1
        class Leaf(Base):
            def __init__(self):
                super().__init__(5)
            def limit(self):
                show(super().limit())
                return 2
        show(Leaf().steps)
    """
    assert python(tmp_path, text) == ["1", "5"]


def test_super_looks_in_the_bases_only_in_scripts(tmp_path: Path) -> None:
    text = """
        class Base { constructor(steps) { this.steps = steps; } limit() { return 1; } }
        class Leaf extends Base {
          constructor() { super(5); }
          limit() { show(super.limit()); return 2; }
        }
        show(new Leaf().steps);
    """
    assert script(tmp_path, text) == ["1", "5"]


def test_super_of_a_library_class_is_its_member(tmp_path: Path) -> None:
    text = """
        from lib import Agent
        class Mine(Agent):
            def run(self):
                show(super().run())
    """
    assert python(tmp_path, text) == ["py:lib.Agent().run()"]


def test_a_base_called_by_its_name_gets_the_object_first(tmp_path: Path) -> None:
    text = """
        class Base:
            def __init__(self, steps):
                self.steps = steps
        class Leaf(Base):
            def __init__(self):
                Base.__init__(self, 5)
        show(Leaf().steps)
    """
    assert python(tmp_path, text) == ["5"]


def test_factories_give_what_they_make(tmp_path: Path) -> None:
    text = """
        from lib import Agent
        class Maker:
            @classmethod
            def make(cls):
                return cls()
            @staticmethod
            def plain():
                return Agent()
            def chain(self):
                return self
        def build():
            return Agent(name="x")
        show(Maker.make())
        show(Maker.plain())
        show(build().run)
        show(Maker().chain().chain())
    """
    assert python(tmp_path, text) == ["Maker()", "py:lib.Agent()", "py:lib.Agent().run", "Maker()"]


def test_a_decorator_of_a_library_makes_a_function_its_object(tmp_path: Path) -> None:
    text = """
        from lib import entrypoint, tool
        @entrypoint(checkpointer=None)
        def flow(x):
            return 1
        @tool
        def search(q):
            return 2
        show(flow.invoke)
        show(search.name)
        show(search("x"))
    """
    assert python(tmp_path, text) == ["py:lib.entrypoint()().invoke", "py:lib.tool().name", "2"]


def test_a_call_of_what_a_decorator_put_in_place_gives_what_its_library_says(tmp_path: Path) -> None:
    text = """
        from ask import call, tool
        @call("model")
        def draft(topic):
            return f"Write about {topic}"
        @tool("x")
        def search(q):
            return 2
        class Desk:
            @call("model")
            def step(self, text):
                return [text]
        show(draft("rivers").resume)
        show(Desk().step("x"))
        show(search("x"))
    """
    assert python(tmp_path, text) == ["py:ask.call()()().resume", "py:ask.call()()()", "2"]


def test_objects_live_in_module_variables_and_are_injected(tmp_path: Path) -> None:
    files = {
        "client.py": "class Client:\n    model = 'big'\n\nclient = Client()",
        "service.py": """
            class Service:
                def __init__(self, client):
                    self.client = client
                def run(self):
                    show(self.client.model)
        """,
        "main.py": "from client import client\nfrom service import Service\nService(client).run()",
    }
    assert shown(tmp_path, files) == ["'big'"]


def test_objects_live_in_module_variables_and_are_injected_in_scripts(tmp_path: Path) -> None:
    files = {
        "client.ts": "class Client { model = 'big'; } export const client = new Client();",
        "service.ts": "export class Service { constructor(private client) {} run() { show(this.client.model); } }",
        "main.ts": "import { client } from './client'; import { Service } from './service';new Service(client).run();",
    }
    assert shown(tmp_path, files) == ["'big'"]


def test_annotations_promise_objects(tmp_path: Path) -> None:
    text = """
        from __future__ import annotations
        from typing import Annotated, Generic, Optional, TypeVar, Union
        from lib import Agent
        T = TypeVar("T")
        class Box(Generic[T]):
            pass
        class Big:
            pass
        def f(a: Agent, b: Optional[Agent], c: Agent | None, d: "Optional[Big]", e: Union[Agent, Big], g: Box[int],
              h: "lib.Agent", i: type[Big], j: Annotated[Big, 3], k: int, m: "]broken["):
            show(a); show(b); show(c); show(d); show(e); show(g)
            show(i); show(j); show(k); show(m)
    """
    api = "py:lib.Agent()"
    expected = [api, api, api, "Big()", f"Big() | {api}", "Box()", "class Big", "Big()"]
    found = python(tmp_path, text)
    assert found[:8] == expected
    assert found[8:] == ["? the caller of f() (parameter k)", "? the caller of f() (parameter m)"]


def test_annotations_promise_objects_in_scripts(tmp_path: Path) -> None:
    text = """
        import { Agent } from "lib";
        class Big {}
        function f(a: Agent, b: Big | undefined, c: Promise<Big>, d?: Readonly<Big>) {
          show(a); show(b); show(c); show(d);
        }
    """
    assert script(tmp_path, text) == ["npm:lib:Agent()", "Big()", "Big()", "Big()"]


def test_a_context_manager_gives_what_its_enter_returns(tmp_path: Path) -> None:
    text = """
        from contextlib import contextmanager, asynccontextmanager
        from lib import Session
        class Own:
            def __enter__(self):
                return 5
        class Itself:
            steps = 3
            def __enter__(self):
                return self
        @contextmanager
        def made():
            yield 7
        with Own() as a, Itself() as b, made() as c, Session() as d, open("x") as e:
            show(a); show(b.steps); show(c); show(d); show(e)
    """
    assert python(tmp_path, text) == ["5", "3", "7", "py:lib.Session()", "py:builtins.open()"]


def test_enum_like_and_namespace_objects_are_read_by_their_keys(tmp_path: Path) -> None:
    files = {
        "tools.ts": "export function a() {} export const limits = { steps: 3, deep: { retries: 2 } };",
        "main.ts": "import * as tools from './tools'; show(tools.a); show(tools.limits.deep.retries);"
        "const all = { tools }; show(all.tools.limits.steps);",
    }
    assert shown(tmp_path, files) == ["def a", "2", "3"]


def test_none_that_stands_there_until_an_object_is_made_has_no_attributes(tmp_path: Path) -> None:
    text = """
        class Settings:
            tracing = False
        kept = None
        def get():
            global kept
            if kept is None:
                kept = Settings()
            return kept
        show(get().tracing)
    """
    assert python(tmp_path, text) == ["False"]


def test_an_attribute_of_nothing_but_none_is_unknown(tmp_path: Path) -> None:
    assert python(tmp_path, "kept = None\nshow(kept.tracing)") == ["? the attribute tracing of a plain value"]
