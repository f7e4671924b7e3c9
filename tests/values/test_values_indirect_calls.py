"""Functions that somebody else runs: given to libraries, chained to promises, called as soon as they are returned."""

from __future__ import annotations

from pathlib import Path

from values_project import asked, callers_of, open_program, python, script, shown, values_text


def test_a_named_function_gets_what_the_library_hands_it(tmp_path: Path) -> None:
    """Not only a function that is written where it is given."""
    assert python(
        tmp_path,
        """
        import spans

        def direct(span):
            show(span)

        def kept(span):
            show(span)

        def listed(span):
            show(span)

        def of_others(span):
            show(span)

        spans.inside(direct)
        hooks = {}
        hooks["start"] = kept
        spans.inside(hooks)
        spans.inside("name", [listed])
        spans.elsewhere(of_others)
        """,
    ) == ["py:spans.Span()"] * 3 + ["? the caller of of_others() (parameter span)"]


def test_a_function_that_another_module_gives_away_gets_it_too(tmp_path: Path) -> None:
    """The module that gives it imports it."""
    files = {
        "handlers.py": """
            def handler(span):
                show(span)
        """,
        "main.py": """
            import spans
            from handlers import handler

            spans.inside(handler)
        """,
    }
    assert shown(tmp_path, files) == ["py:spans.Span()"]


def test_callers_of_the_project_come_before_the_library(tmp_path: Path) -> None:
    """Where the project calls the function itself, what it passes is what the parameter is."""
    assert python(
        tmp_path,
        """
        import spans

        def handler(span):
            show(span)

        spans.inside(handler)
        handler(7)
        """,
    ) == ["7"]


def test_a_chain_comes_to_what_its_last_function_returns(tmp_path: Path) -> None:
    """And each function gets what the one before it returned; a second handler gets an error, which is nobody's."""
    assert script(
        tmp_path,
        """
        import { read } from "store"
        const text = read("a").then((found) => { show(found); return found.text }, (error) => show(error))
        show(text)
        show(read("b").then(console.log))
        """,
    ) == ["npm:store:read()", "? a callback's caller", "npm:store:read().text", "npm:store:read().then()"]


def test_an_object_with_a_method_then_is_no_promise(tmp_path: Path) -> None:
    """A builder of steps, as workflows have them, is asked as any other object of the project."""
    assert script(
        tmp_path,
        """
        class Steps { then(step) { return this } }
        show(new Steps().then(() => 5))
        """,
    ) == ["Steps()"]


def test_a_promise_is_what_it_is_resolved_with(tmp_path: Path) -> None:
    """Also from a callback inside; a name that hides the one that resolves does not."""
    assert script(
        tmp_path,
        """
        import { read } from "store"
        const one = () => new Promise((resolve, reject) => { read("a", () => resolve(5)); reject(6) })
        show(await one())
        show(new Promise((resolve) => { [1].forEach((resolve) => resolve(7)) }))
        """,
    ) == ["5", "npm:globalThis:Promise()"]


def test_arguments_that_are_bound_one_after_the_other_are_all_kept(tmp_path: Path) -> None:
    """Of a library's function as of one of the project."""
    program = open_program(tmp_path, {"a.ts": "import { run } from 'lib'\nshow(run.bind(null, 1).bind(null, 2))\n"})
    (value,) = program.value_of(asked(program)[0])
    assert [argument.value.value for argument in value.bound.args[1:]] == [1, 2]  # type: ignore[union-attr]


def test_what_a_call_returns_may_be_called_at_once(tmp_path: Path) -> None:
    """`maker()(x)` calls something without a name, which is a caller of what `maker` returns all the same."""
    program = open_program(
        tmp_path,
        {
            "a.py": """
            def same(x):
                return x

            def maker():
                return same

            show(maker()(5))
            """
        },
    )
    assert callers_of(program, "same") == ["a.py:7"]
    assert values_text(program, asked(program)[0]) == "5"


def test_a_loop_over_an_object_takes_what_its_iterator_gives(tmp_path: Path) -> None:
    """A generator, or an object with `__next__`; an object without either stays unreadable."""
    assert python(
        tmp_path,
        """
        class Yields:
            def __iter__(self):
                yield 1

        class Steps:
            def __iter__(self):
                return self
            def __next__(self):
                return 2

        class Plain:
            pass

        for one in Yields(): show(one)
        for one in Steps(): show(one)
        for one in Plain(): show(one)
        """,
    ) == ["1 | ? an element of a list that is not fully readable", "2", "? an element of an object"]


def test_an_element_that_is_replaced_is_the_new_one_or_the_old(tmp_path: Path) -> None:
    """What stands at a place that is not readable is added, as before."""
    assert python(
        tmp_path,
        """
        steps = [1, 2]
        steps[0] = 3
        show(steps[0])
        show(steps[1])
        """,
    ) == ["1 | 3", "2"]


def test_a_function_has_attributes_that_its_module_sets(tmp_path: Path) -> None:
    """JavaScript and Python alike; a static getter is read as what it returns."""
    assert python(tmp_path / "p", "def search():\n    pass\n\nsearch.limit = 5\nshow(search.limit)\n") == ["5"]
    assert script(
        tmp_path / "s",
        """
        function search() {}
        search.limit = 5
        class Options { static get limit() { return 6 } }
        show(search.limit)
        show(search.other)
        show(Options.limit)
        """,
    ) == ["5", "? the attribute other of a function", "6"]


def test_a_generator_that_is_injected_gives_what_it_yields(tmp_path: Path) -> None:
    text = """
        import lib
        from fastapi import Depends
        def get_db():
            db = lib.Session()
            try:
                yield db
            finally:
                db.close()
        def route(db=Depends(get_db)):
            show(db)
    """
    assert python(tmp_path, text) == ["py:lib.Session()"]
