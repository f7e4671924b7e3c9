"""Attributes that are declared in one place and given in another: by subclasses, by constructors."""

from pathlib import Path

from values_project import python, script


def test_an_attribute_that_a_base_leaves_empty_is_what_subclasses_give_it(tmp_path: Path) -> None:
    text = """
        class Base:
            def __init__(self):
                self.graph = None
                self.limit = 3
            def get(self):
                show(self.graph)
                show(self.limit)
                return self.graph
        class Own(Base):
            def load(self):
                self.graph = Graph()
                self.limit = 4
        class Graph: ...
        show(Own().get())
    """
    assert python(tmp_path, text) == ["Graph() | None", "3", "Graph() | None"]


def test_an_attribute_that_a_base_leaves_empty_in_typescript(tmp_path: Path) -> None:
    text = """
        class Base {
          graph = null;
          get() { return this.graph; }
        }
        class Own extends Base {
          load() { this.graph = new Graph(); }
        }
        class Graph {}
        show(new Own().get());
    """
    assert script(tmp_path, text) == ["Graph() | None"]


def test_the_type_of_a_field_says_nothing_where_it_is_assigned(tmp_path: Path) -> None:
    text = """
        interface Options { turns?: number; other?: string; }
        class Client {
          private options: Options;
          private later: Options;
          constructor(given?: Partial<Options>) {
            this.options = { turns: 7, ...given };
          }
          run() {
            const { turns } = { ...this.options };
            show(turns);
            show(this.later);
          }
        }
        new Client().run();
    """
    assert script(tmp_path, text) == ["7", "Options()"]


def test_the_type_of_a_field_says_nothing_where_it_is_assigned_in_python(tmp_path: Path) -> None:
    text = """
        class Plan: ...
        class Own(Plan): ...
        class Client:
            plan: Plan
            empty: Plan
            def __init__(self):
                self.plan = Own()
                self.empty = None
            def run(self):
                show(self.plan)
                show(self.empty)
    """
    assert python(tmp_path, text) == ["Own()", "None | Plan()"]


def test_a_library_that_makes_objects_of_a_class_gives_its_defaults(tmp_path: Path) -> None:
    text = """
        import records
        from records import Record

        class Settings(Record):
            steps: int = 7

        def ask(kind: type[Record]):
            return records.read(data, of=kind)

        show(Settings.load(data).steps)
        show(Settings().copy().steps)
        show(ask(Settings).steps)
        show(Record.load(data))
    """
    assert python(tmp_path, text) == ["7", "7", "7", "py:records.Record.load()"]


def test_a_name_for_several_types_promises_each_of_them(tmp_path: Path) -> None:
    text = """
        from typing import Annotated, Optional, Union
        from lib import Field

        class One:
            size = 1

        class Two:
            size = 2

        Either = Annotated[One | Two, Field(mode="left")]
        Maybe = Optional[One]
        Any = Union[One, Two]

        def f(a: Either, b: Maybe, c: Any):
            show(a.size)
            show(b.size)
            show(c.size)
    """
    assert python(tmp_path, text) == ["1 | 2", "1", "1 | 2"]


def test_a_field_that_must_be_given_promises_what_its_type_does(tmp_path: Path) -> None:
    text = """
        from pydantic import BaseModel, Field

        class Inner(BaseModel):
            limit: int = Field(default=3)

        class Outer(BaseModel):
            inner: Inner = Field(description="required")

        def f(outer: Outer):
            show(outer.inner.limit)
    """
    assert python(tmp_path, text) == ["3"]


def test_an_object_that_only_a_library_makes_has_its_own_defaults(
    tmp_path: Path,
) -> None:
    text = """
        from pydantic import BaseModel

        class Base(BaseModel):
            limit: int = 3

        class Off(Base):
            limit: int = 0

        off = Off(**given)

        def f(base: Base):
            show(base.limit)
    """
    assert python(tmp_path, text) == ["0 | 3 | ? arguments that are spread into a call"]
