"""Properties and getters: what they return, though they can be written."""

from pathlib import Path

from values_project import python, script


def test_properties_are_what_they_return(tmp_path: Path) -> None:
    text = """
        from functools import cached_property
        class A:
            @property
            def steps(self):
                return 4
            @cached_property
            def tools(self):
                return [1]
        show(A().steps)
        show(A().tools)
    """
    assert python(tmp_path, text) == ["4", "[1]"]


def test_a_property_is_read_as_its_getter_says_though_it_can_be_written(tmp_path: Path) -> None:
    text = """
        class Box:
            def __init__(self, steps):
                self._steps = steps
            @property
            def steps(self):
                return 5
            @steps.setter
            def steps(self, value):
                self._steps = value
            @steps.deleter
            def steps(self):
                self._steps = None
        class Wide(Box):
            def twice(self):
                show(super().steps)
        show(Box(1).steps)
        def look(box: Box):
            show(box.steps)
        Wide(1).twice()
    """
    assert python(tmp_path, text) == ["5", "5", "5"]


def test_getters_are_what_they_return_though_they_can_be_written(tmp_path: Path) -> None:
    text = """
        class Box {
          get steps() { return 5; }
          set steps(value: number) { this.kept = value; }
          static get most() { return 7; }
          static set most(value: number) { Box.kept = value; }
        }
        show(new Box().steps);
        function look(box: Box) { show(box.steps); }
        show(Box.most);
    """
    assert script(tmp_path, text) == ["5", "5", "7"]


def test_getters_are_what_they_return(tmp_path: Path) -> None:
    text = "class A { get steps() { return 4; } static make() { return new A(); } } show(A.make().steps);"
    assert script(tmp_path, text) == ["4"]
