"""Constants: written in place, in another file, behind defaults, conditions, environment variables and arithmetic."""

import math
from pathlib import Path

import pytest
from values_project import asked, open_program, python, script, shown, values_text

from agent_architecture.names.values import Const


def test_a_constant_is_followed_across_files(tmp_path: Path) -> None:
    files = {
        "limits.py": "STEPS = 7",
        "a.py": "from limits import STEPS\nimport limits\nshow(STEPS)\nshow(limits.STEPS)",
    }
    assert shown(tmp_path, files) == ["7", "7"]


def test_a_constant_is_followed_across_modules(tmp_path: Path) -> None:
    files = {
        "limits.ts": "export const STEPS = 7; export default { retries: 2 };",
        "a.ts": "import all, { STEPS } from './limits'; import * as limits from './limits';"
        "show(STEPS); show(limits.STEPS); show(all.retries);",
    }
    assert shown(tmp_path, files) == ["7", "7", "2"]


def test_a_value_of_a_json_file_is_a_constant(tmp_path: Path) -> None:
    files = {
        "limits.json": '{"steps": 7, "nested": {"retries": 2}}',
        "a.ts": "import { steps } from './limits.json'; import all from './limits.json';"
        "show(steps); show(all.nested.retries);",
    }
    assert shown(tmp_path, files) == ["7", "2"]


def test_a_module_offers_what_it_ends_with(tmp_path: Path) -> None:
    files = {"limits.py": "STEPS = None\nSTEPS = 7", "a.py": "from limits import STEPS\nshow(STEPS)"}
    assert shown(tmp_path, files) == ["7"]


def test_a_star_import_brings_public_names(tmp_path: Path) -> None:
    files = {
        "limits.py": "__all__ = ['STEPS']\nSTEPS = 7\nOTHER = 8",
        "a.py": "from limits import *\nshow(STEPS)\nshow(OTHER)",
    }
    assert shown(tmp_path, files) == ["7", "py:builtins.OTHER"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("os.getenv('X')", "? the environment variable X"),
        ("os.getenv('X', '5')", "'5'"),
        ("int(os.getenv('X', '5'))", "5"),
        ("os.environ.get('X', default=5)", "5"),
        ("int(os.getenv('X') or 10)", "10"),
        ("os.environ['X']", "py:os.environ[]"),
        ("limit or 10", "? the caller of f() (parameter limit) | 10"),
        ("None or 10", "10"),
        ("0 or 10", "10"),
        ("3 or 10", "3"),
        ("3 if limit else 4", "3 | 4"),
        ("limit if limit is not None else 4", "4 | ? the caller of f() (parameter limit)"),
    ],
)
def test_a_default_stands_for_what_is_not_given(tmp_path: Path, expression: str, expected: str) -> None:
    found = python(tmp_path, f"import os\ndef f(limit):\n    show({expression})")
    assert found == [" | ".join(sorted(expected.split(" | ")))]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("process.env.X ?? 5", "5"),
        ("process.env.X || '5'", "'5'"),
        ("Number(process.env.X ?? '5')", "5"),
        ("parseInt(process.env.X || '12px', 10)", "12"),
        ("undefined ?? 5", "5"),
        ("0 ?? 5", "0"),
        ("0 || 5", "5"),
        ("limit ? 3 : 4", "3 | 4"),
    ],
)
def test_a_default_stands_for_what_is_not_given_in_scripts(tmp_path: Path, expression: str, expected: str) -> None:
    assert script(tmp_path, f"function f(limit) {{ show({expression}); }}") == [expected]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 + 3 * 4", "14"),
        ("2 ** 10", "1024"),
        ("-5", "-5"),
        ("7 // 2", "3"),
        ("7 / 0", "? a computed value"),
        ("not 1", "False"),
        ("'a' + 'b'", "'ab'"),
        ("'a' + name", "text"),
        ("f'{one}-{2 + 0}'", "'1-2'"),
        ("f'{name}'", "text"),
        ("'%s' % name", "text"),
        ("10 ** 10 ** 10", "inf"),
        ("float('inf')", "inf"),
        ("float('nan')", "? a text that is not a number"),
        ("math.inf", "py:math.inf"),
        ("int('many')", "? a text that is not a number"),
        ("int('1_000')", "1000"),
        ("int(3.7)", "3"),
        ("sys.maxsize - 1", "inf"),
    ],
)
def test_operators_compute_constants(tmp_path: Path, expression: str, expected: str) -> None:
    assert python(tmp_path, f"import math, sys\none = 1\nshow({expression})") == [expected]


def test_numbers_grow_no_further_than_is_useful(tmp_path: Path) -> None:
    lines = ["x0 = 10 ** 60", *(f"x{n + 1} = x{n} * x{n}" for n in range(38)), "show(x38)"]
    program = open_program(tmp_path, {"a.py": "\n".join(lines)})
    (value,) = program.value_of(asked(program)[0])
    assert isinstance(value, Const)
    assert value.value == math.inf


@pytest.mark.parametrize("double", ["x{0} + x{0}", "[*x{0}, *x{0}]", "f'{{x{0}}}{{x{0}}}'"])
def test_texts_and_lists_grow_no_further_than_is_useful(tmp_path: Path, double: str) -> None:
    start = "x0 = [1]" if "[" in double else "x0 = 'ab'"
    lines = [start, *(f"x{n + 1} = " + double.format(n) for n in range(36)), "show(x36)"]
    program = open_program(tmp_path, {"a.py": "\n".join(lines)})
    values = program.value_of(asked(program)[0])
    assert len(values) == 1
    assert len(str(values[0])) < 1_000_000


def test_alternatives_are_computed_one_by_one(tmp_path: Path) -> None:
    assert python(tmp_path, "x = 2 if y else 3\nshow(x * 10)") == ["20 | 30"]


def test_seventeen_alternatives_are_not_readable(tmp_path: Path) -> None:
    branches = "\n".join(f"if c{n}:\n    x = {n}" for n in range(17))
    assert python(tmp_path, f"{branches}\nshow(x)") == ["? more than 16 alternatives"]


def test_of_more_objects_one_of_each_kind_is_kept(tmp_path: Path) -> None:
    text = "import shop\nclass Till: ...\nTABLE = {" + "".join(f"'k{n}': shop.Desk({n}), " for n in range(20))
    more = "? more than 16 alternatives | Till() | py:shop.Desk()"
    assert python(tmp_path, f"{text} 'own': Till()}}\nshow(TABLE[key])") == [more]


def test_of_more_objects_one_of_each_kind_is_kept_in_typescript(tmp_path: Path) -> None:
    entries = "".join(f"k{n}: new Desk({n}), " for n in range(20))
    text = f'import {{ Desk }} from "shop"; const table = {{ {entries} }};\nfunction f(key) {{ show(table[key]); }}'
    assert script(tmp_path, text) == ["? more than 16 alternatives | npm:shop:Desk()"]


def test_sixteen_alternatives_are_readable(tmp_path: Path) -> None:
    branches = "\n".join(f"if c{n}:\n    x = {n}" for n in range(16))
    (found,) = python(tmp_path, f"{branches}\nshow(x)")
    assert found == " | ".join(sorted(str(n) for n in range(16)))


def test_enum_members_stand_for_their_values(tmp_path: Path) -> None:
    text = """
        from enum import Enum
        class Mode(str, Enum):
            FAST = "fast"
        show(Mode.FAST)
        show(Mode.FAST.value)
        show(Mode["FAST"])
    """
    assert python(tmp_path, text) == ["'fast'", "'fast'", "'fast'"]


def test_enum_members_of_scripts_stand_for_their_values(tmp_path: Path) -> None:
    text = "enum Mode { Fast = 'fast' } const Frozen = Object.freeze({ Slow: 'slow' } as const);"
    assert script(tmp_path, text + "show(Mode.Fast); show(Frozen.Slow);") == ["'fast'", "'slow'"]


def test_the_answer_for_a_value_names_its_place(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"limits.py": "STEPS = 7", "a.py": "from limits import STEPS\nshow(STEPS)"})
    (expr,) = asked(program)
    (value,) = program.value_of(expr)
    assert isinstance(value, Const)
    assert str(value.span) == "limits.py:1"
    assert values_text(program, expr) == "7"


def test_getattr_is_the_member_and_where_nothing_is_readable_its_default(tmp_path: Path) -> None:
    text = """
        class Settings:
            steps = 3

        def f(given):
            show(getattr(Settings, "steps", 5))
            show(getattr(Settings(), "steps"))
            show(getattr(Settings(), "rounds", 5))
            show(getattr(given, "rounds", 5))
            show(getattr(given, "rounds"))
    """
    found = python(tmp_path, text)
    assert found[:4] == ["3", "3", "5", "5"]
    assert found[4].startswith("? ")
