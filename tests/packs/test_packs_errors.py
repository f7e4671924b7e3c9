"""Every malformed pack is one sentence that names the file and the row."""

from pathlib import Path

import pytest

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.packs import load_packs

HEADER = '[framework]\nid = "x"\n[[package]]\npypi = "x"\nverified = "1.0"\n'


def problem(tmp_path: Path, text: str) -> str:
    (tmp_path / "x.toml").write_text(text, "utf-8")
    with pytest.raises(PackError) as error:
        load_packs(tmp_path)
    return str(error.value)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('[[entity]]\ncall = "py:x:f"', "entity row 1: 'kind' is missing"),
        ('[[entity]]\nkind = "runn"\ncall = "py:x:f"', "entity row 1: kind = 'runn' is unknown; did you mean 'run'?"),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\nsteplimit = "0"',
            "entity row 1: unknown key 'steplimit'; did you mean 'step_limit'?",
        ),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\nrelations.agnt = "0"',
            "entity row 1: relations.agnt: 'run' has no 'agnt'; did you mean 'agent'?",
        ),
        ('[[entity]]\nkind = "run"', "entity row 1: one of call, decorator and subclass is missing"),
        (
            '[[entity]]\nkind = "run"\ncall = "x:f"',
            "entity row 1: 'x:f' is no API path: it starts with 'py:' or 'npm:'",
        ),
        ('[[entity]]\nkind = "run"\ncall = "py:x:{f"', "entity row 1: 'py:x:{f' has a '{' without its '}'"),
        ('[[entity]]\nkind = "run"\ncall = 3', "entity row 1: 'call' is a text or a list of texts"),
        ('[[entity]]\nkind = "run"\ncall = "py:x:f"\nstep_limit = "a..b"', "entity row 1: 'a..b' is no address"),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\nwhen = "tools"',
            "entity row 1: 'when' names 'tools', which this row does not read",
        ),
        (
            '[[entity]]\nkind = "code_sink"\ncall = "py:x:f"\nconstant.isolation = "remot"',
            "entity row 1: isolation = 'remot' is unknown; did you mean 'remote'?",
        ),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\ndefaults.step_limit = {value = 1}',
            "entity row 1: the default of 'step_limit' has no source (file:symbol)",
        ),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\ndefaults.step_limit = {value = 1, source = "run"}',
            "entity row 1: the source 'run' of a default is written file:symbol",
        ),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\ndefaults.step_limit = {source = "a.py:B"}',
            "entity row 1: a default of 'step_limit' says one of value, none = true and like",
        ),
        (
            '[[entity]]\nkind = "run"\ncall = "py:x:f"\ndefaults.step_limit = {before = "2", value = 1, source="a:B"}',
            "entity row 1: the last default of 'step_limit' has no 'before': it is the newest one",
        ),
        ('[[setting]]\ncall = "py:x:f"', "setting row 1: a setting sets at least one property or relation"),
        (
            '[[mark]]\ncall = "py:x:f"\ncovers = "retry"',
            "mark row 1: covers = 'retry' is unknown; did you mean 'retried'?",
        ),
        ('[[through]]\ncall = "py:x:f"', "through row 1: 'from' is missing"),
        (
            '[[through]]\ncall = "py:x:f"\nfrom = "self"',
            "through row 1: 'py:x.f' has no receiver, so 'self' is nothing",
        ),
        (
            '[[effect]]\ncall = "py:x:f"\neffect = "shell"',
            "effect row 1: effect = 'shell' is unknown; did you mean 'execute_shell'?",
        ),
        ('[[flow]]\nkind = "source"\ncall = "py:x:f"\norigin = "sky"', "flow row 1: origin = 'sky' is unknown"),
        (
            '[[flow]]\nkind = "sink"\ncall = "py:x:f"\neffect = "database"',
            "flow row 1: a source has no argument; a sink and a sanitizer have one",
        ),
        ('[[document]]\nkind = "run"', "document row 1: 'glob' is missing"),
        (
            '[[fix]]\ndetector = "d"\necosystem = "pip"\ntext = "x"',
            "fix row 1: ecosystem = 'pip' is unknown; did you mean 'pypi'?",
        ),
        ('[[fix]]\ndetector = "d"\necosystem = "pypi"\ntext = "a\\nb"', "fix row 1: a fix is one line"),
        ('[[alias]]\nof = "py:x:f"', "alias row 1: 'names' is missing"),
    ],
)
def test_a_malformed_row_is_one_sentence_naming_file_and_row(tmp_path: Path, row: str, sentence: str) -> None:
    said = problem(tmp_path, f"{HEADER}{row}\n")
    assert said.startswith(f"frameworks/x.toml: {sentence}")
    assert "\n" not in said


def test_the_number_of_the_row_counts_rows_of_its_kind(tmp_path: Path) -> None:
    good = '[[entity]]\nkind = "run"\ncall = "py:x:f"\n'
    said = problem(
        tmp_path, f'{HEADER}{good}[[fix]]\ndetector="d"\necosystem="npm"\ntext="x"\n{good}[[entity]]\nkind = "run"\n'
    )
    assert said.startswith("frameworks/x.toml: entity row 3: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the table [framework] is missing"),
        ("[framework]\n", "[framework] needs an id"),
        ('[framework]\nid = "x"\n', "a [[package]] with its verified version is missing"),
        ('[framework]\nid = "x"\n[[package]]\npypi = "x"\n', "package row 1: the verified version of x is missing"),
        (
            '[framework]\nid = "x"\n[[package]]\nverified = "1"\n',
            "package row 1: one of npm, pypi and runtime names the package",
        ),
        (f"{HEADER}[[entities]]\n", "unknown key 'entities'; did you mean 'entity'?"),
        (f"{HEADER}[[wait]]\n", "'wait' is a kind of entity, no table: [[entity]] with kind = \"wait\""),
        (f"{HEADER}[entity]\nkind = 'run'\n", "'entity' is written as [[entity]]"),
        ("[framework\n", ""),
    ],
)
def test_a_pack_without_its_header_is_one_sentence_naming_the_file(tmp_path: Path, text: str, sentence: str) -> None:
    said = problem(tmp_path, text)
    assert said.startswith("frameworks/x.toml: ")
    assert sentence in said


def test_a_file_that_is_not_text_is_one_sentence_naming_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PackError, match=r"frameworks/x\.toml: "):
        load_packs(tmp_path)


def test_two_packs_cannot_share_an_id(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(HEADER, "utf-8")
    assert problem(tmp_path, HEADER) == "frameworks/x.toml: the id 'x' is taken by frameworks/w.toml"


def test_an_alias_that_comes_back_to_itself_is_refused(tmp_path: Path) -> None:
    loop = '[[alias]]\nof = "py:a:X"\nnames = ["py:b:X"]\n[[alias]]\nof = "py:b:X"\nnames = ["py:a:X"]\n'
    assert "leads back to itself" in problem(tmp_path, HEADER + loop)


def test_an_alias_that_grows_for_ever_is_refused(tmp_path: Path) -> None:
    assert "leads back to itself" in problem(tmp_path, f'{HEADER}[[alias]]\nof = "py:a:X.Y"\nnames = ["py:a:X"]\n')


def test_a_name_cannot_stand_for_two_things(tmp_path: Path) -> None:
    twice = '[[alias]]\nof = "py:a:X"\nnames = ["py:c:X"]\n[[alias]]\nof = "py:b:X"\nnames = ["py:c:X"]\n'
    assert problem(tmp_path, HEADER + twice) == "frameworks/x.toml: alias row 2: 'py:c.X' already names 'py:a.X'"
