"""Names: which assignments reach a use, destructuring, loops, parameters, containers that grow."""

from pathlib import Path

import pytest
from values_project import asked, open_program, python, script, shown, values_text


def test_a_later_assignment_hides_an_earlier_one(tmp_path: Path) -> None:
    assert python(tmp_path, "x = 1\nshow(x)\nx = 2\nshow(x)") == ["1", "2"]


def test_a_function_that_python_defines_later_is_not_there_yet(tmp_path: Path) -> None:
    assert python(tmp_path, "x = 1\nshow(x)\ndef x():\n    pass") == ["1"]
    assert script(tmp_path, "show(x);\nfunction x() {}") != ["?"]


def test_an_assignment_under_a_condition_is_an_alternative(tmp_path: Path) -> None:
    text = """
        x = 1
        if c:
            x = 2
            show(x)
        else:
            show(x)
        show(x)
    """
    assert python(tmp_path, text) == ["2", "1", "1 | 2"]


def test_in_a_loop_what_every_pass_assigns_first_hides_the_rest(tmp_path: Path) -> None:
    text = "for i in n:\n    x = 1\n    if c:\n        x = 2\n    show(x)\n    x = 3"
    assert python(tmp_path, text) == ["1 | 2"]


def test_in_a_loop_a_later_assignment_reaches_an_earlier_use(tmp_path: Path) -> None:
    assert python(tmp_path, "x = 1\nfor _ in y:\n    show(x)\n    x = 2") == ["1 | 2"]


def test_a_name_is_filled_in_where_it_was_none(tmp_path: Path) -> None:
    text = """
        def f(limit=None):
            if limit is None:
                limit = 10
            show(limit)
        f()
        f(3)
    """
    assert python(tmp_path, text) == ["10 | 3"]


def test_a_value_written_by_a_function_reaches_every_use(tmp_path: Path) -> None:
    text = """
        client = None
        show(client)
        def start():
            global client
            client = 5
    """
    assert python(tmp_path, text) == ["5 | None"]


def test_a_function_sees_what_hides_a_name_before_it_is_defined_and_what_comes_after(tmp_path: Path) -> None:
    text = """
        if c:
            x = 1
        else:
            x = 2
        x = 3
        def f():
            show(x)
        if c:
            x = 4
        class A:
            def g(self):
                show(x)
    """
    assert python(tmp_path, text) == ["3 | 4", "3 | 4"]
    assert python(tmp_path, "x = 1\ndef f():\n    show(x)\nx = 2\ndef g():\n    show(x)") == ["1 | 2", "2"]


def test_a_value_written_by_a_closure_reaches_every_use(tmp_path: Path) -> None:
    assert script(tmp_path, "let client; function start() { client = 5; } function f() { show(client); }") == ["5"]


def test_a_parameter_is_hidden_by_its_replacement(tmp_path: Path) -> None:
    text = """
        def f(x):
            show(x)
            x = x or 5
            show(x)
        f(None)
    """
    assert python(tmp_path, text) == ["None", "5"]


def test_numbers_that_are_counted_up_are_not_one_number(tmp_path: Path) -> None:
    assert python(tmp_path, "n = 0\nwhile c:\n    n += 1\n    show(n)") == [
        "0 | ? a value that is changed step by step"
    ]


def test_tuples_are_unpacked_by_position(tmp_path: Path) -> None:
    text = "a, (b, *c), *d, e = 1, (2, 3), 4, 5\nshow(a)\nshow(b)\nshow(e)\nx = y = 9\nshow(y)"
    assert python(tmp_path, text) == ["1", "2", "5", "9"]


def test_destructuring_takes_keys_and_falls_back_to_defaults(tmp_path: Path) -> None:
    text = """
        const { a, b = 5, c: { d = 6, e } , f = 7 } = { a: 1, c: { e: 2 }, f: 8 };
        show(a); show(b); show(d); show(e); show(f);
        const [g, h = 4] = [3];
        show(g); show(h);
    """
    assert script(tmp_path, text) == ["1", "5", "6", "2", "8", "3", "4"]


def test_destructured_parameters_are_what_callers_pass(tmp_path: Path) -> None:
    text = """
        function f({ steps = 4, name }) { show(steps); show(name); }
        f({ name: "a" });
    """
    assert script(tmp_path, text) == ["4", "'a'"]


def test_a_default_value_sees_earlier_parameters(tmp_path: Path) -> None:
    text = "const a = 1; function f(a, b = a.x) { show(b); } f({ x: 3 });"
    assert script(tmp_path, text) == ["3"]


def test_a_default_value_in_python_sees_the_scope_around(tmp_path: Path) -> None:
    assert python(tmp_path, "a = 1\ndef f(a, b=a):\n    show(b)\nf(2)") == ["1"]


def test_loops_give_elements_and_keys(tmp_path: Path) -> None:
    text = """
        for x in [1, 2]:
            show(x)
        for k in {"a": 1}:
            show(k)
        for k, v in {"a": 1}.items():
            show(k); show(v)
        for n, x in enumerate([5]):
            show(x)
        for v in {"a": 3}.values():
            show(v)
        ys = [x * 2 for x in (3, 4) if x]
        show(ys)
        for row in [(1, "a"), (2, "b")]:
            show(row[1])
    """
    expected = ["1 | 2", "'a'", "'a'", "1", "5", "3", "[6 | 8, …]", "'a' | 'b'"]
    assert python(tmp_path, text) == expected


def test_the_variable_of_a_comprehension_hides_nothing_outside_it(tmp_path: Path) -> None:
    text = """
        tool = 1
        def names(tools):
            seen = [tool for tool in (2, 3)]
            show(seen)
            show(tool)
    """
    assert python(tmp_path, text) == ["[2 | 3, …]", "1"]


def test_loops_give_elements_in_scripts(tmp_path: Path) -> None:
    text = """
        for (const x of [1, 2]) show(x);
        for (const [k, v] of Object.entries({ a: 1 })) { show(k); show(v); }
        show([1, 2].map((x) => ({ n: 5 })));
    """
    assert script(tmp_path, text) == ["1 | 2", "'a'", "1", "[{n: 5}, …]"]


def test_a_function_that_runs_over_a_list_is_handed_its_elements(tmp_path: Path) -> None:
    text = """
        function each(xs) { xs.forEach((x, n) => { show(x); show(n); }); }
        each([1, 2]);
        Object.entries({ a: 3 }).map(([k, v]) => show(v));
        unreadable().map((x) => show(x));
    """
    expected = ["1 | 2", "? a callback's caller", "3", "? a callback's caller"]
    assert script(tmp_path, text) == expected


def test_dictionaries_are_merged(tmp_path: Path) -> None:
    text = """
        a = {"x": 1, "y": 2}
        show({**a, "y": 3})
        show(a | {"z": 4})
        show(dict(a, y=5))
        show(a.get("x", 9))
        show(a.get("q", 9))
        show(a.get("q"))
        show({"x": 1, **unreadable()}["x"])
        show({**(a if c else {"x": 7})}["x"])
    """
    expected = [
        "{x: 1, y: 3}",
        "{x: 1, y: 2, z: 4}",
        "{x: 1, y: 5}",
        "1",
        "9",
        "None",
        "1 | ? an expression that is not modelled",
        "1 | 7",
    ]
    assert python(tmp_path, text) == expected


def test_objects_are_merged_in_scripts(tmp_path: Path) -> None:
    text = """
        const a = { x: 1, y: 2 };
        show({ ...a, y: 3 });
        show(Object.assign({}, a, { z: 4 }));
        show({ x: 1, ...(c && { x: 2 }) }.x);
        show([...[1], 2, ...(c ? [3] : [])]);
    """
    assert script(tmp_path, text) == ["{x: 1, y: 3}", "{x: 1, y: 2, z: 4}", "1 | 2", "[1, 2, 3]"]


def test_lists_that_grow_contain_what_is_put_in(tmp_path: Path) -> None:
    text = """
        tools = []
        tools.append(1)
        if c:
            tools.extend([2, 3])
        tools += [4]
        show(tools)
        table = {}
        table["a"] = 1
        table.update({"b": 2})
        show(table)
        class A:
            def __init__(self):
                self.tools = [1]
            def add(self):
                self.tools.append(2)
        show(A().tools)
        def register():
            registry.append(7)
        registry = []
        show(registry)
    """
    assert python(tmp_path, text) == ["[1, 2, 3, 4]", "{a: 1, b: 2}", "[1, 2]", "[7]"]


def test_lists_that_grow_contain_what_is_put_in_in_scripts(tmp_path: Path) -> None:
    text = "const tools = [1]; tools.push(2, 3); show(tools); const table = {}; table['b'] = 2; show(table.b);"
    assert script(tmp_path, text) == ["[1, 2, 3]", "2"]


def test_parameters_are_what_callers_pass_and_the_default_where_one_does_not(tmp_path: Path) -> None:
    files = {
        "lib.py": "def f(a, b=2, *args, c=3, **kwargs):\n    show(a); show(b); show(args); show(c); show(kwargs)",
        "main.py": "from lib import f\nf(1)\nf(10, 20, 30, c=40, d=50)",
    }
    assert shown(tmp_path, files) == ["1 | 10", "2 | 20", "[30] | []", "3 | 40", "{d: 50} | {}"]


def test_what_examples_pass_says_nothing_about_the_application(tmp_path: Path) -> None:
    files = {
        "src/lib.py": "def f(a=1):\n    show(a)",
        "examples/demo.py": "from src.lib import f\nf(99)",
        "main.py": "from src.lib import f\nf(2)",
    }
    assert shown(tmp_path, files) == ["2"]


def test_partials_that_only_a_library_runs_fix_arguments(tmp_path: Path) -> None:
    text = """
        from functools import partial
        from kit import Graph, make
        def node(state, agent, name="desk", size=3):
            show(agent)
            show(name)
            show(size)
        def other(state, agent=None):
            show(agent)
        class Desk:
            def node(self, agent, state):
                show(agent)
        graph = Graph()
        one = partial(node, agent=make(), name="first")
        graph.add("a", one)
        graph.add("b", partial(other, agent=make()))
        graph.add("c", partial(other))
        graph.add("d", partial(Desk().node, make()))
    """
    assert python(tmp_path, text) == ["py:kit.make()", "'first'", "3", "None | py:kit.make()", "py:kit.make()"]


def test_bound_functions_that_only_a_library_runs_fix_arguments(tmp_path: Path) -> None:
    text = """
        import { Graph, make } from "kit";
        function node(agent, state) { show(agent); }
        const graph = new Graph();
        graph.add("a", node.bind(null, make()));
    """
    assert script(tmp_path, text) == ["npm:kit:make()"]


def test_partials_fix_arguments(tmp_path: Path) -> None:
    text = """
        from functools import partial
        def f(a, b, c=3):
            show(a); show(b); show(c)
        g = partial(f, 1, c=5)
        g(2)
    """
    assert python(tmp_path, text) == ["1", "2", "5"]


def test_a_chain_of_sixty_builder_calls_is_read(tmp_path: Path) -> None:
    chain = "".join(f".add({n})" for n in range(60))
    assert python(tmp_path, f"from lib import Graph\nshow(Graph(){chain}.compile)") == [
        "py:lib.Graph()" + ".add()" * 60 + ".compile"
    ]


def test_a_chain_of_a_hundred_names_is_read(tmp_path: Path) -> None:
    names = "\n".join(f"x{n + 1} = x{n}" for n in range(100))
    assert python(tmp_path, f"x0 = 7\n{names}\nshow(x100)\nshow(x50)") == ["7", "7"]


@pytest.mark.parametrize(
    "deep", ["(" * 300 + "1" + ")" * 300, "-" * 300 + "1", "[" * 200 + "]" * 200, "f(" * 60 + ")" * 60]
)
def test_deep_expressions_have_an_answer(tmp_path: Path, deep: str) -> None:
    (found,) = python(tmp_path, f"show({deep})")
    assert found


CIRCLES = {
    "functions": "def a(n):\n    return b(n) or 1\ndef b(n):\n    return a(n) or 2\nshow(a(3))\nshow(b(3))",
    "names": "def f():\n    global x, y\n    x = [y, 1]\n    y = [x, 2]\nx = y = None\nshow(x)\nshow(y)",
    "counting": "def a(n):\n    show(n)\n    b(n - 1)\ndef b(m):\n    show(m)\n    a(m)\na(10)",
    "methods": "class A:\n    def go(self, x):\n        show(x)\n        return self.stop(x)\n    def stop(self, x):\n"
    "        show(x)\n        return self.go(x) or 5\nA().go(1)",
    "lists": "def f(xs=[]):\n    show(xs)\n    g(xs + [1])\ndef g(ys):\n    show(ys)\n    f(ys + [2])\nf()",
}


@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES.keys())
def test_no_answer_depends_on_which_question_was_asked_first(tmp_path: Path, text: str) -> None:
    forward, backward = (open_program(tmp_path, {"a.py": text}) for _ in range(2))
    first = [values_text(forward, expr) for expr in asked(forward)]
    last = [values_text(backward, expr) for expr in reversed(asked(backward))]
    assert first == last[::-1]


def test_a_recursion_returns_what_ends_it(tmp_path: Path) -> None:
    assert python(tmp_path, "def f(n):\n    if n:\n        return f(n - 1)\n    return 0\nshow(f(3))") == ["0"]


def test_a_value_that_only_depends_on_itself_is_unknown(tmp_path: Path) -> None:
    assert python(tmp_path, "def f():\n    return f()\nshow(f())") == ["? a value that depends on itself"]


def test_a_number_that_grows_for_ever_is_unknown(tmp_path: Path) -> None:
    (found,) = python(tmp_path, "def f(n):\n    show(n)\n    f(n + 1)\nf(0)")
    assert "? a value that depends on itself" in found.split(" | ")


def test_a_record_of_options_that_nobody_passes_is_not_there(tmp_path: Path) -> None:
    text = """
        interface Options { turns?: number; }
        interface Tool { run(): number; }
        export function answer(question: string, options?: Options) {
          show({ turns: 7, ...options });
        }
        export function act(tool?: Tool) {
          show(tool);
        }
    """
    assert script(tmp_path, text) == ["{turns: 7}", "Tool()"]


def test_the_element_of_a_comprehension_sees_the_names_of_all_its_clauses(tmp_path: Path) -> None:
    text = """
        def run(options):
            return [show((size, kind)) for size in [1, 2] for kind in ["a"]]
        def later(options, others):
            for size, kind in others:
                pass
            return [show((size, kind)) for size in [1, 2] for kind in ["a"] if show(kind)]
    """
    assert python(tmp_path, text) == ["[1 | 2, 'a']", "[1 | 2, 'a']", "'a'"]


def test_what_a_loop_runs_over_is_what_the_name_was_before_it(tmp_path: Path) -> None:
    text = "xs = [1]\nfor x in xs:\n    xs = [2]\n    show(x)\nshow(xs)"
    assert python(tmp_path, text) == ["1", "[1] | [2]"]


def test_what_an_outer_pass_leaves_reaches_what_an_inner_loop_runs_over(tmp_path: Path) -> None:
    text = "xs = [1]\nwhile y:\n    for x in xs:\n        xs = [2]\n        show(x)"
    assert python(tmp_path, text) == ["1 | 2"]
