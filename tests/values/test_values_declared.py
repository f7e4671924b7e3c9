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
