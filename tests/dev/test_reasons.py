"""Reasons: their length, their words, and that the page for review shows each text of which they are made."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from agent_architecture.wording import LONGEST, fitting, listed, named, short_digest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")
SHOWN = {
    key: [line[9:] for line in body.splitlines()]
    for key, body in re.findall(r"^## \[(\w+)\].*?^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
}
GONE = (
    "It comes back to tools",
    "nothing keeps how far it came",
    "could ask and is not told to",
    "No ceiling on tokens, money or calls",
    "what the web says",
    "nobody sized it",
)


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "development" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def templates() -> ModuleType:
    return script("templates")


@pytest.fixture(scope="module")
def reasons(templates: ModuleType) -> ModuleType:
    assert templates  # the script imports it by its name
    return script("reasons")


def test_the_page_shows_every_detector() -> None:
    assert set(SHOWN) == {file.stem for file in (ROOT / "src/agent_architecture/detectors").glob("*/*.md")}


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_a_reason_is_one_short_sentence(key: str) -> None:
    for reason in SHOWN[key]:
        assert len(reason) <= LONGEST
        assert reason.endswith(".")
        assert not reason.startswith(("It ", "Its "))
        assert not any(words in reason for words in GONE)


def test_each_text_is_shown_or_has_a_cause(reasons: ModuleType) -> None:
    said = {key: [reasons.Said("gap", reason) for reason in own] for key, own in SHOWN.items()}
    missing = [problem for problem in reasons.uncovered(said, reasons.causes()) if problem.split(".py")[0] in SHOWN]
    assert missing == []


def test_a_cause_says_something() -> None:
    known = tomllib.loads((ROOT / "development" / "unreached.toml").read_text(encoding="utf-8"))
    assert all(len(cause) > 10 for own in known.values() for cause in own.values())


def test_a_text_is_found_in_the_code_and_nothing_else_is(templates: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "judge.py"
    file.write_text(
        '''"""A page about it."""
WORDS = {"a key": "goes by mail"}
@detector(title="No such text", fix="Do it.")
def judge(one):
    """Judge one thing."""
    what = f"{one.name} may call {'a friend of mine' if one else 'nobody'}"
    raise ValueError("never shown to anyone")
    return f"{what}: {one.seen}"
''',
        encoding="utf-8",
    )
    assert [each.text for each in templates.templates(file)] == [
        "a key",
        "goes by mail",
        "… may call …",
        "a friend of mine",
    ]


def test_a_text_that_no_reason_holds_is_named(reasons: ModuleType) -> None:
    problems = list(reasons.uncovered({}, {"limits": {"never there": "no example"}}))
    assert any("no example reaches" in problem for problem in problems)
    assert any("'never there' of limits now" in problem for problem in problems)


def test_a_long_reason_is_named(reasons: ModuleType) -> None:
    said = {"deadlock_risk": [reasons.Said("gap", "x" * (LONGEST + 1)), reasons.Said("ok", "y" * LONGEST)]}
    (problem,) = reasons.too_long(said)
    assert problem.startswith(f"deadlock_risk: {LONGEST + 1} characters")


# ------------------------------------------------------------------------------------------------------------- wording
def test_words_are_listed() -> None:
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")] == ["a", "a and b", "a, b or c"]


def test_a_sentence_has_the_parts_that_fit_and_counts_the_others() -> None:
    assert fitting("x: ", ["no a", "no b"]) == "x: no a, no b."
    cut = fitting("x: ", ["a" * 60, "b" * 60, "c" * 60])
    assert cut == f"x: {'a' * 60}, {'b' * 60}, 1 more."
    assert len(cut) <= LONGEST
    assert fitting("x: ", ["a" * 200, "b"]) == f"x: {'a' * 200}, 1 more."


def test_of_many_names_the_first_are_said() -> None:
    assert named(["a", "b", "c"]) == "a, b, c"
    assert named(["a", "b", "c", "d"]) == "a, b, c and 1 more"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("image@sha256:" + "0" * 64, "image@sha256:" + "0" * 12 + "…"),
        ("git+https://host/x@" + "ab" * 20, "git+https://host/x@" + "ab" * 6 + "…"),
        ("image:1.2", "image:1.2"),
        ("name@1.2.3", "name@1.2.3"),
    ],
)
def test_a_digest_is_cut(text: str, short: str) -> None:
    assert short_digest(text) == short
