"""Tests for a class narrow a name: what is asked for, what is left, what is not narrowed."""

from pathlib import Path

from values_project import python, script

CLASSES = """
        import shop
        class Lazy:
            def graph(self):
                return 1
        class Late(Lazy): ...
        class Other: ...
        TABLE = {"a": Late(), "b": Other(), "c": shop.graph()}
"""


def test_a_test_for_a_class_leaves_its_objects(tmp_path: Path) -> None:
    text = f"""{CLASSES}
        def f(key):
            found = TABLE[key]
            if isinstance(found, Lazy):
                show(found)
                return found.graph()
            return found
        show(f(key))
    """
    assert python(tmp_path, text) == ["Late()", "1 | Late() | Other() | py:shop.graph()"]


def test_a_test_for_one_of_several_classes_or_with_a_further_condition(tmp_path: Path) -> None:
    text = f"""{CLASSES}
        def f(key):
            found = TABLE[key]
            if ready and isinstance(found, (Lazy, Other)):
                show(found)
            return isinstance(found, Other) and show(found)
    """
    assert python(tmp_path, text) == ["Late() | Other()", "Other()"]


def test_what_is_not_readable_is_what_was_asked_for(tmp_path: Path) -> None:
    text = """
        class Message: ...
        def f(event):
            if isinstance(event, Message):
                show(event)
    """
    assert python(tmp_path, text) == ["Message()"]


def test_a_library_class_and_a_new_value_do_not_narrow(tmp_path: Path) -> None:
    text = f"""{CLASSES}
        def f(key):
            found = TABLE[key]
            if isinstance(found, shop.Graph):
                show(found)
            if isinstance(found, Lazy):
                found = Other()
                show(found)
    """
    assert python(tmp_path, text) == ["Late() | Other() | py:shop.graph()", "Other()"]


def test_a_test_for_a_class_in_typescript(tmp_path: Path) -> None:
    text = """
        import { graph } from "shop";
        class Lazy {}
        class Late extends Lazy {}
        const table = { a: new Late(), b: graph() };
        function f(key: string) {
          const found = table[key];
          if (found instanceof Lazy) show(found);
          else show(found);
        }
    """
    assert script(tmp_path, text) == ["Late()", "Late() | npm:shop:graph()"]


def test_a_cast_promises_where_nothing_else_is_known(tmp_path: Path) -> None:
    text = """
        from typing import cast
        class Desk: ...
        def f(found):
            show(cast(Desk, found))
            show(cast("Desk", found))
            show(cast(Desk, 5))
    """
    assert python(tmp_path, text) == ["Desk()", "Desk()", "5"]


def test_an_argument_that_a_parameter_does_not_take_is_none_of_its_values(tmp_path: Path) -> None:
    text = """
        class Base: ...
        class One(Base):
            size = 1
        class Two(Base):
            size = 2

        def make(config: One | Two):
            f(config)
            g(config)

        def f(config: One):
            show(config.size)

        def g(config: Base):
            show(config.size)
    """
    assert python(tmp_path, text) == ["1", "1 | 2"]


def test_of_several_objects_the_one_without_the_attribute_is_not_the_one_that_is_asked(tmp_path: Path) -> None:
    text = """
        from lib import Model

        class One(Model):
            size = 1

        class Two(Model):
            width = 2

        def f(config: One | Two):
            show(config.size)
            show(config.height)
    """
    assert python(tmp_path, text) == ["1", "py:lib.Model().height"]
