"""Who calls whom, in both directions."""

from pathlib import Path

from values_project import callees_at, callers_of, function_named, open_program, python, script, shown

from agent_architecture.names.callers import passed_argument


def test_direct_calls_are_found_across_files_and_aliases(tmp_path: Path) -> None:
    files = {
        "lib.py": "def f(x):\n    return x\n\ng = f",
        "a.py": "from lib import f as h, g\nimport lib\nh(1)\nlib.f(2)\ng(3)",
    }
    program = open_program(tmp_path, files)
    assert callers_of(program, "f") == ["a.py:3", "a.py:4", "a.py:5"]
    assert callees_at(program, "f") == ["f", "f"]


def test_default_and_named_imports_are_found(tmp_path: Path) -> None:
    files = {
        "lib.ts": "export default function f(x) { return x; }\nexport const g = (y) => y;",
        "a.ts": "import run, { g as other } from './lib';\nrun(1);\nother(2);",
    }
    program = open_program(tmp_path, files)
    assert callers_of(program, "f") == ["a.ts:2"]
    assert callers_of(program, "g") == ["a.ts:3"]


def test_methods_are_found_through_objects_inheritance_and_super(tmp_path: Path) -> None:
    text = """
        class Base:
            def __init__(self, x):
                self.x = x
            def run(self):
                return self.x
        class Leaf(Base):
            def __init__(self):
                super().__init__(3)
        Leaf().run()
        Base(1).run()
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Base.run") == ["a.py:9", "a.py:10"]
    assert callers_of(program, "Base.__init__") == ["a.py:8", "a.py:10"]
    assert callers_of(program, "Leaf.__init__") == ["a.py:9"]
    assert callees_at(program, "Leaf") == ["Leaf.__init__"]


def test_constructors_are_found_in_scripts(tmp_path: Path) -> None:
    text = """
        class Base { constructor(x) { this.x = x; } }
        class Leaf extends Base { constructor() { super(3); } }
        new Leaf();
        new Base(1);
    """
    program = open_program(tmp_path, {"a.ts": text})
    assert callers_of(program, "Base.__init__") == ["a.ts:2", "a.ts:4"]
    assert callees_at(program, "Leaf") == ["Leaf.__init__"]


def test_a_method_of_an_unreadable_object_is_found_by_its_unique_name_and_marked(tmp_path: Path) -> None:
    text = """
        class A:
            def unique_step(self): ...
            def common(self): ...
        class B:
            def common(self): ...
        def f(x):
            x.unique_step()
            x.common()
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "A.unique_step") == ["a.py:7?"]
    assert callers_of(program, "A.common") == []
    assert callees_at(program, "unique_step") == ["A.unique_step"]


def test_functions_handed_to_the_language_s_runners_are_run(tmp_path: Path) -> None:
    text = """
        import asyncio
        def work(x, y=2):
            show(x)
            show(y)
        async def main(executor):
            await asyncio.to_thread(work, 5)
            executor.submit(work, 6, y=7)
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "work") == ["a.py:6>", "a.py:7>"]
    assert callees_at(program, "to_thread") == ["work"]
    assert callees_at(program, "submit") == ["work"]
    assert python(tmp_path, text) == ["5 | 6", "2 | 7"]


def test_callbacks_are_run_by_the_call_that_is_handed_them(tmp_path: Path) -> None:
    text = """
        function f() { return 1; }
        setTimeout(() => f(), 10);
        setInterval(f, 10);
        [1].forEach((x) => f());
    """
    program = open_program(tmp_path, {"a.ts": text})
    assert callers_of(program, "f") == ["a.ts:2", "a.ts:3>", "a.ts:4"]
    assert callees_at(program, "setTimeout") == ["<lambda:2>"]
    assert callees_at(program, "setInterval") == ["f"]


def test_a_callable_object_runs_its_call_method(tmp_path: Path) -> None:
    text = "class A:\n    def __call__(self):\n        return 4\nrun = A()\nrun()\nshow(run())"
    program = open_program(tmp_path, {"a.py": text})
    assert callees_at(program, "run") == ["A.__call__", "A.__call__"]
    assert python(tmp_path, text) == ["4"]


def test_arguments_are_told_by_keyword_position_and_spread(tmp_path: Path) -> None:
    text = "def f(a, b=2, c=3):\n    pass\nf(1, c=9)\nf(*xs)\nf(1, **ys)"
    program = open_program(tmp_path, {"a.py": text})
    function = function_named(program, "f")
    told = [
        [type(passed_argument(site, function, param)).__name__ for param in function.params]
        for site in program.callers(function)
    ]
    assert told == [
        ["Literal", "NoneType", "Literal"],
        ["Unknown", "Unknown", "Unknown"],
        ["Literal", "Unknown", "Unknown"],
    ]


def test_a_value_passed_through_sixty_functions_is_read(tmp_path: Path) -> None:
    lines = [f"def f{n}(x):\n    f{n + 1}(x)" for n in range(60)]
    assert python(tmp_path, "\n".join([*lines, "def f60(x):\n    show(x)", "f0(7)"])) == ["7"]


def test_two_functions_that_call_each_other_have_callers(tmp_path: Path) -> None:
    text = "def a(n):\n    b(n)\ndef b(n):\n    a(n)\na(3)"
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "b") == ["a.py:2"]
    assert callers_of(program, "a") == ["a.py:4", "a.py:5"]


def test_an_argument_named_by_keyword_rest_is_found_in_the_mapping(tmp_path: Path) -> None:
    files = {"a.py": "def f(a, b=2):\n    show(a)\n    show(b)\noptions = {'a': 1}\nf(**options)"}
    assert shown(tmp_path, files) == ["1", "2"]


def test_a_function_among_options_escapes_to_the_calls_that_are_handed_them(tmp_path: Path) -> None:
    text = """
        function start() {
          const options = { onFinish: () => { again(options); } };
          begin(options);
          begin({ ...options });
          options.quiet = true;
          show(options);
        }
    """
    program = open_program(tmp_path, {"a.ts": text})
    assert callers_of(program, "start.onFinish") == ["a.ts:2>", "a.ts:3>", "a.ts:4>", "a.ts:6>"]


def test_a_function_runs_under_the_name_of_the_parameter_that_it_is_handed_to(tmp_path: Path) -> None:
    files = {
        "a.py": """
            from b import repeat, Twice
            def ask(n):
                show(n)
            class Desk:
                def look(self, n):
                    show(n)
                def work(self):
                    repeat(self.look, 3)
            repeat(ask, 2)
            repeat(step=lambda n: show(n), times=1)
            Twice(ask).go()
        """,
        "b.py": """
            def repeat(step, times):
                for _ in range(times):
                    step(5)
            class Twice:
                def __init__(self, action):
                    self.action = action
                def go(self):
                    self.action(7)
        """,
    }
    assert shown(tmp_path, files) == ["5 | 7", "5", "5"]
    program = open_program(tmp_path, files)
    assert callers_of(program, "ask") == ["b.py:3", "b.py:8"]
    assert callers_of(program, "Desk.look") == ["b.py:3"]


def test_a_function_runs_under_the_name_of_the_parameter_that_it_is_handed_to_in_scripts(tmp_path: Path) -> None:
    files = {
        "a.ts": """
            import { repeat } from "./b";
            const ask = (n: number) => { show(n); };
            class Desk {
              look(n: number) { show(n); }
              work() { repeat({ step: (n) => this.look(n), times: 3 }); }
            }
            repeat({ step: ask, times: 2 });
        """,
        "b.ts": """
            export function repeat({ step, times }: Options) {
              for (let i = 0; i < times; i++) step(5);
            }
        """,
    }
    assert shown(tmp_path, files) == ["5", "5"]


def test_a_function_that_a_factory_returns_runs_under_the_name_of_its_result(tmp_path: Path) -> None:
    text = """
        def speaker(voice):
            def speak(n):
                show(n)
            def louder(n):
                show(n)
            return speak if voice else louder
        say = speaker("low")
        say(4)
        TABLE = {"say": speaker("high")}
        TABLE["say"](5)
        def each(n):
            show(n)
        for run in [each]:
            run(6)
    """
    assert python(tmp_path, text) == ["4 | 5", "4 | 5", "6"]


def test_a_function_that_a_factory_returns_runs_under_the_name_of_its_result_in_scripts(tmp_path: Path) -> None:
    text = """
        function speaker() { return async (n: number) => { show(n); }; }
        const say = speaker();
        say(4);
        function pair() { const low = (n: number) => { show(n); }; return { low, high: (n: number) => { show(n); } }; }
        const { low: first, high } = pair();
        first(5);
        high(6);
    """
    assert script(tmp_path, text) == ["4", "5", "6"]


def test_a_decorator_is_handed_what_it_stands_above(tmp_path: Path) -> None:
    text = """
        HANDLERS = {}
        def register(name):
            def keep(function):
                HANDLERS[name] = function
                return function
            return keep
        def direct(function):
            HANDLERS[function.__name__] = function
            return function
        @register("a")
        def first(x):
            show(x)
        @direct
        def second(x):
            show(x)
        def run(name):
            HANDLERS[name](7)
    """
    assert python(tmp_path, text) == ["7", "7"]


def test_a_function_of_a_table_is_given_what_its_call_gives(tmp_path: Path) -> None:
    text = """
        const handlers: Record<string, (x: number) => void> = {
          first: (x) => { show(x); },
        };
        export const run = (name: string) => handlers[name](7);
    """
    assert script(tmp_path, text) == ["7"]


def test_what_a_generator_is_handed_on_to_gives_its_value(tmp_path: Path) -> None:
    body = "import { make } from 'lib'; const kit = make(1); function* f() { show(yield* kit); show(yield kit); }"
    assert script(tmp_path, body) == ["npm:lib:make()", "? an expression that is not modelled"]
    text = "import lib\nkit = lib.make(1)\ndef f():\n    a = yield from kit\n    show(a)"
    assert python(tmp_path, text) == ["py:lib.make()"]


def test_objects_are_called_by_the_names_that_hold_them(tmp_path: Path) -> None:
    text = """
        class Ask:
            def __call__(self, text):
                return text
        class Loud(Ask):
            pass
        class Desk:
            def __init__(self, ask: Ask):
                self.asked = ask
            def run(self):
                return self.asked("a")
        desk = Desk(Loud())
        Ask()("b")
        many = [Ask()]
        many[0]("c")
        desk("d")
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Ask.__call__") == ["a.py:10", "a.py:12", "a.py:14"]
    assert callees_at(program, "asked") == ["Ask.__call__"]


def test_a_method_of_a_library_runs_the_one_that_its_subclass_writes(tmp_path: Path) -> None:
    text = """
        from net import Module
        class Ask(Module):
            def forward(self, text):
                return [text]
        ask = Ask()
        ask("a")
        ask.forward("b")
        class Mute(Module):
            pass
        Mute()("c")
    """
    program = open_program(tmp_path, {"a.py": text})
    assert callers_of(program, "Ask.forward") == ["a.py:6", "a.py:7"]
    assert callees_at(program, "ask") == ["Ask.forward"]


def test_a_library_hands_a_function_that_it_runs_what_it_says(tmp_path: Path) -> None:
    text = """
        import spans

        def run():
            def step(span, other=1):
                show(span)
                show(other)

            spans.inside(step)
            spans.inside(lambda span: show(span))
            spans.outside(lambda span: show(span))
    """
    given, other, in_lambda, unknown = python(tmp_path, text)
    assert given == in_lambda == "py:spans.Span()"
    assert "1" in other
    assert unknown.startswith("?")


def test_the_method_of_a_library_runs_the_function_that_its_object_was_made_of(tmp_path: Path) -> None:
    text = """
        from kit import tool
        @tool
        def work(x):
            return x
        work.invoke(1)
        work.other(1)
    """
    program = open_program(tmp_path / "py", {"a.py": text})
    assert callees_at(program, "invoke") == ["work"]
    assert callees_at(program, "other") == []
    assert "a.py:5" in callers_of(program, "work")
    text = """
        import { tool } from "kit";
        const one = tool(async () => 1, { name: "one" });
        const two = tool({ name: "two", run: function second() { return 2; } });
        one.invoke({});
        two.invoke({});
    """
    program = open_program(tmp_path / "ts", {"a.ts": text})
    assert callees_at(program, "invoke") == ["<lambda:2>", "second"]
