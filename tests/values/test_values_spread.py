"""Arguments that are collected, spread again, fixed beforehand, and forwarded through wrappers."""

from pathlib import Path

from values_project import python, script


def test_arguments_are_forwarded_through_two_wrappers(tmp_path: Path) -> None:
    text = """
        def inner(limit=1, *, size=2, kind="a", **rest):
            show(limit)
            show(size)
            show(kind)
            show(rest["deep"])
        def middle(*args, **kwargs):
            return inner(*args, **kwargs)
        def outer(**options):
            return middle(3, **options)
        outer(size=5, deep=7)
        class Base:
            def __init__(self, limit=1, **kw):
                self.limit = limit
        class Mid(Base):
            def __init__(self, **kw):
                super().__init__(**kw)
        class Top(Mid):
            def __init__(self, name, **kw):
                super().__init__(**kw)
        show(Top("x", limit=9).limit)
    """
    assert python(tmp_path, text) == ["3", "5", "'a'", "7", "9"]


def test_arguments_are_forwarded_through_two_wrappers_in_scripts(tmp_path: Path) -> None:
    text = """
        function inner({ limit = 1, size = 2, ...rest }) { show(limit); show(size); show(rest.deep); }
        function middle(options) { return inner({ ...options }); }
        function outer(options) { return middle({ limit: 3, ...options }); }
        outer({ size: 5, deep: 7 });
        function leaf(a, b = 2, c = 4) { show(a); show(b); show(c); }
        function twig(...args) { return leaf(...args); }
        function branch(...rest) { return twig(...rest); }
        branch(8, 9);
        const retried = (work, times) => (...args) => work(...args);
        const run = retried(async (x, limit = 2) => { show(x); show(limit); }, 5);
        run(6, 7);
    """
    assert script(tmp_path, text) == ["3", "5", "7", "8", "9", "4", "6", "7"]


def test_what_a_function_adds_to_its_own_arguments_has_no_end(tmp_path: Path) -> None:
    text = """
        def go(*args):
            show(args)
            if len(args) < 9:
                go(*args, 1)
        go(0)
    """
    assert python(tmp_path, text) == ["[0] | [1, …]"]


def test_what_collected_arguments_are_annotated_with_is_promised(tmp_path: Path) -> None:
    text = """
        class Worker:
            pass
        def run(*workers: Worker, **named: Worker):
            show(workers[0])
            show(named["x"])
        def add(*numbers: int):
            show(numbers)
    """
    assert python(tmp_path, text) == [
        "? an element of a list that is not fully readable | Worker()",
        "? the key 'x' of a dictionary that is not fully readable | Worker()",
        "? the arguments collected in numbers",
    ]


def test_what_collected_arguments_are_annotated_with_is_promised_in_scripts(tmp_path: Path) -> None:
    text = """
        class Worker {}
        export function run(...workers: Worker[]) { show(workers[0]); }
        export function add(...numbers: number[]) { show(numbers); }
    """
    assert script(tmp_path, text) == [
        "? an element of a list that is not fully readable | Worker()",
        "? the arguments collected in numbers",
    ]


def test_what_is_fixed_twice_is_given_both_times(tmp_path: Path) -> None:
    text = """
        from functools import partial
        def run(limit, size=2, kind="a"):
            show(limit)
            show(size)
            show(kind)
        fixed = partial(run, size=9)
        again = partial(fixed, 5)
        again(kind="b")
    """
    assert python(tmp_path, text) == ["5", "9", "'b'"]


def test_bind_gives_the_function_with_its_arguments(tmp_path: Path) -> None:
    text = """
        class Desk {
          limit = 4;
          go() { return this.limit; }
        }
        const desk = new Desk();
        const go = desk.go.bind(desk);
        show(go);
        show(go());
        show(desk.go.call(desk));
        function work(limit, size = 2) { show(limit); show(size); }
        const bound = work.bind(null, 9);
        bound(3);
    """
    assert script(tmp_path, text) == ["def Desk.go", "4", "4", "9", "3"]


def test_what_an_exit_stack_enters(tmp_path: Path) -> None:
    text = """
        from contextlib import AsyncExitStack, closing, nullcontext
        from lib import Client
        class Session:
            limit = 5
            async def __aenter__(self):
                return self
        class Desk:
            def __init__(self):
                self.stack = AsyncExitStack()
            async def open(self):
                self.session = await self.stack.enter_async_context(Session())
                show(self.session.limit)
        async def main():
            async with AsyncExitStack() as stack:
                show(stack.enter_context(closing(Client())))
            with nullcontext(3) as found:
                show(found)
    """
    assert python(tmp_path, text) == ["5", "py:lib.Client()", "3"]


def test_a_dictionary_is_updated_by_keywords(tmp_path: Path) -> None:
    text = """
        options = {"limit": 3}
        options.update(limit=8, size=2)
        show(options["limit"])
        show(options["size"])
    """
    assert python(tmp_path, text) == ["3 | 8", "2"]
