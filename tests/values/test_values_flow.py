"""Where a value comes from. A call of `source` stands for whoever begins it."""

from pathlib import Path

import pytest
from values_project import asked, open_program, origins_of

from agent_architecture.names import flow
from agent_architecture.syntax import ir

PAIR = "class A:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n"


@pytest.mark.parametrize(
    "body",
    [
        "show(f'do {source()}')",
        "show('do %s' % source())",
        "show('a' + source())",
        "x = source()\nshow([x][0])",
        "show({'k': source()}['k'])",
        "show('do {}'.format(source()))",
        "x = ''\nx += source()\nshow(x)",
        "parts = []\nparts.append(source())\nshow(' '.join(parts))",
        "table = {}\ntable['k'] = source()\nshow(table)",
        "a, b = source(), 1\nshow(a)",
        "for part in source():\n    show(part)",
        "show([part for part in source()])",
        "show(source() if c else 'x')",
        "def make():\n    return source()\nshow(make())",
        "def give():\n    yield source()\nshow(list(give()))",
        "def use(x):\n    show(x)\nuse(source())",
        "class A:\n    def __init__(self):\n        self.x = source()\nshow(A().x)",
        "class A:\n    def __init__(self, x):\n        self.x = x\nshow(A(source()).x)",
        "class A:\n    x = []\n    def go(self):\n        self.x.append(source())\n        show(self.x)",
        "with source() as x:\n    show(x)",
        "show((lambda: source())())",
        "def f(**given):\n    show(given)\nf(a=source())",
        "def f(*given):\n    show(given)\nf(1, source())",
        "def f(a, b):\n    show(a)\nf(**{'a': source(), 'b': 1})",
        "def f():\n    out = []\n    def one():\n        out.append(source())\n    one()\n    show(out)",
        "def text(d):\n    return d.text\ndef each(d):\n    show(d)\nlist(map(each, source()))",
    ],
)
def test_a_value_is_followed_back_to_its_call(tmp_path: Path, body: str) -> None:
    assert "call source" in origins_of(open_program(tmp_path, {"a.py": body}))


@pytest.mark.parametrize(
    "body",
    [
        "show(`do ${source()}`);",
        "const { a, b: [c] } = source(); show(c);",
        "const parts = []; parts.push(source()); show(parts.join(' '));",
        "let x = ''; x += source(); show(x);",
        "const o = { k: source() }; show(o.k);",
        "const use = (x) => show(x); use(source());",
        "class A { x = source(); } show(new A().x);",
        "const f = async () => await source(); show(await f());",
        "show(source() ?? 'x');",
        "const use = ({ x }) => show(x); use({ x: source(), y: 1 });",
        "function use({ x, ...rest }) { show(rest); } use({ x: 1, z: source() });",
        "async function go() { const out = []; await all(xs.map((x) => out.push(source(x)))); show(out); }",
        "const m = new Map(); m.set('a', source()); show(m.get('a'));",
        "const o = {}; o.k = source(); show(o.k);",
        "source().then((x) => show(x));",
        "source().forEach((d) => show(d));",
    ],
)
def test_a_value_is_followed_back_to_its_call_in_scripts(tmp_path: Path, body: str) -> None:
    assert "call source" in origins_of(open_program(tmp_path, {"a.ts": body}))


def test_what_goes_into_a_library_comes_out_of_it(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"a.py": "import json\nshow(json.loads(source())['code'])"})
    assert origins_of(program) == ["call loads", "call source", "name py:json"]


def test_what_goes_into_a_library_comes_out_of_it_in_scripts(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"a.ts": "show(JSON.parse(source()).code);"})
    assert origins_of(program) == ["call parse", "call source", "name JSON"]


def test_a_value_is_followed_across_files(tmp_path: Path) -> None:
    files = {
        "made.py": "text = source()",
        "use.py": "import made\nfrom run import run\nrun(made.text)",
        "run.py": "def run(code):\n    show(code)",
    }
    assert origins_of(open_program(tmp_path, files)) == ["call source", "parameter code"]


def test_only_the_entry_that_is_read_counts(tmp_path: Path) -> None:
    text = "one = {'safe': 1, 'other': source()}\nshow(one['safe'])\ntwo = {'safe': 1, **more()}\nshow(two['safe'])"
    program = open_program(tmp_path, {"a.py": text})
    assert origins_of(program, 0) == []
    assert "call more" in origins_of(program, 1)


@pytest.mark.parametrize(
    "body",
    [
        "def use(x):\n    return x\nuse(source())\nshow(use('a'))",
        "def use(x):\n    return deep(x)\ndef deep(x):\n    return x\ndeep(source())\nshow(use('a'))",
        "class A:\n    def __init__(self, x):\n        self.x = x\nA(source())\nshow(A('a').x)",
    ],
)
def test_a_call_is_left_by_its_own_arguments(tmp_path: Path, body: str) -> None:
    assert "call source" not in origins_of(open_program(tmp_path, {"a.py": body}))


def test_only_the_part_that_a_parameter_takes_counts(tmp_path: Path) -> None:
    text = "const use = ({ y }) => show(y); use({ x: source(), y: 'a' });"
    assert "call source" not in origins_of(open_program(tmp_path, {"a.ts": text}))


def test_a_reader_says_what_a_way_passes(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"a.py": "def wrap(x):\n    return f'<a>{x}</a>'\nshow(wrap(source()) + more())"})

    def reader(node: ir.Expr, passed: frozenset[str]) -> list[flow.Step] | None:
        del passed
        return [flow.Step(part, "wrapped") for part in node.parts] if isinstance(node, ir.Template) else None

    found = flow.origins(program, asked(program)[0], reader)
    calls = {origin.node.callee.id: origin.passed for origin in found if isinstance(origin.node, ir.Call)}  # type: ignore[union-attr]
    assert calls == {"source": {"wrapped"}, "more": set()}


def test_a_comparison_is_nobody_s_text(tmp_path: Path) -> None:
    assert origins_of(open_program(tmp_path, {"a.py": "show(source() == 'x')"})) == []


def test_a_parameter_without_callers_is_an_origin(tmp_path: Path) -> None:
    assert origins_of(open_program(tmp_path, {"a.py": "def tool(code):\n    show(code.strip())"})) == [
        "call strip",
        "parameter code",
    ]


def test_a_circle_ends(tmp_path: Path) -> None:
    text = "def f(x):\n    show(x)\n    f(x + source())\nf('a')"
    assert "call source" in origins_of(open_program(tmp_path, {"a.py": text}))


@pytest.mark.parametrize(
    "body",
    [
        "def f():\n    return {'a': source(), 'b': 'x'}\nshow(f()['b'])",
        "d = {}\nd['a'] = source()\nd['b'] = 'x'\nshow(d['b'])",
        "def make(x):\n    return {'a': x}\nmake(source())\nshow(make('x')['a'])",
        f"{PAIR}def make():\n    return A(source(), 'x')\nshow(make().b)",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: str\n    b: str\nshow(A(source(), 'x').b)",
        "def f(**given):\n    show(given['b'])\nf(a=source(), b='x')",
        "show(dict(a=source(), b='x').get('b'))",
        "for one in [{'a': source(), 'b': 'x'}]:\n    show(one['b'])",
        "def go(table):\n    show(table[name](source()))",
        "def f():\n    return source(), 'x'\na, b = f()\nshow(b)",
        "async def go():\n    a, b = await asyncio.gather(source(), other())\n    show(b)",
        "def go(tool):\n    show(tool(**source()))",
    ],
)
def test_only_the_part_that_is_read_counts(tmp_path: Path, body: str) -> None:
    assert "call source" not in origins_of(open_program(tmp_path, {"a.py": body}))


@pytest.mark.parametrize(
    "body",
    [
        "def f():\n    return {'a': source(), 'b': 'x'}\nshow(f()['a'])",
        "def f(given):\n    return given.get('a', 'x')\nshow(f({'a': source()}))",
        f"{PAIR}def make():\n    return A(source(), 'x')\nshow(make().a)",
        "show({**source(), 'b': 'x'}['a'])",
        "import json\nshow(json.loads(source())['a']['b'])",
        "for one in [{'a': source()}]:\n    show(one['a'])",
        "rows = [{'a': x} for x in source()]\nshow([row['a'] for row in rows])",
        "def one():\n    return {'a': source()}\nasync def go():\n    r, _ = await gather(one())\n    show(r['a'])",
        "def f():\n    return [source(), 'x']\nshow(f()[0])",
    ],
)
def test_a_part_is_found_where_its_object_is_made(tmp_path: Path, body: str) -> None:
    assert "call source" in origins_of(open_program(tmp_path, {"a.py": body}))


@pytest.mark.parametrize(
    ("body", "is_source"),
    [
        ("t = {}\nshow(t.get(source()))", False),
        ("t = dict()\nshow(t.pop(source(), None))", False),
        ("class A:\n    t = {}\n    def of(self, k):\n        return self.t.get(k)\nshow(A().of(source()))", False),
        ("t = {}\nshow(t[source()])", False),
        ("t = {}\nshow(t.get('k', source()))", True),
        ("t = {'k': source()}\nshow(t.get(name))", True),
        ("t = {}\nt[name] = source()\nshow(t.get(other))", True),
        ("import requests\nshow(requests.get(source()))", True),
        ("def of(t):\n    return t.get(source())\nshow(of(unknown()))", True),
    ],
)  # fmt: skip
def test_a_key_is_no_part_of_what_a_mapping_has_under_it(tmp_path: Path, body: str, *, is_source: bool) -> None:
    assert ("call source" in origins_of(open_program(tmp_path, {"a.py": body}))) is is_source


@pytest.mark.parametrize(
    ("body", "is_source"),
    [
        ("const t = {}; show(t[source()]);", False),
        ("const t = new Map(); show(t.get(source()));", False),
        ("class A { t = new Map(); of(k) { return this.t.get(k); } } show(new A().of(source()));", False),
        ("const t = new Map(); t.set('k', source()); show(t.get(name));", True),
        ("show(axios.get(source()));", True),
    ],
)
def test_a_key_is_no_part_of_what_a_map_has_under_it(tmp_path: Path, body: str, *, is_source: bool) -> None:
    assert ("call source" in origins_of(open_program(tmp_path, {"a.js": body}))) is is_source
