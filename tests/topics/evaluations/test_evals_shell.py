"""Shell text to commands."""

from __future__ import annotations

import pytest

from agent_architecture.semantics.topics.evaluations.shell import commands


def words(text: str, folder: str = "") -> list[tuple[tuple[str, ...], str]]:
    return [(command.words, command.folder) for command in commands(text, folder)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pytest -q", ("pytest", "-q")),
        ("uv run pytest -q", ("pytest", "-q")),
        ("uv run --extra dev --with x pytest", ("pytest",)),
        ("poetry run python -m pytest tests", ("python", "-m", "pytest", "tests")),
        ("PYTHONPATH=. poetry run pytest -q", ("pytest", "-q")),
        ("npx promptfoo@latest eval", ("promptfoo@latest", "eval")),
        ("npx --yes promptfoo eval", ("promptfoo", "eval")),
        ("pnpm exec vitest run", ("vitest", "run")),
        ("yarn dlx evalite", ("evalite",)),
        ("timeout 60 pytest", ("pytest",)),
        ("cross-env TZ=UTC jest", ("jest",)),
        ("@pytest", ("pytest",)),
        ("uv sync", ("uv", "sync")),
    ],
)
def test_a_command_stands_without_what_only_starts_it(text: str, expected: tuple[str, ...]) -> None:
    assert [found for found, _ in words(text)] == [expected]


def test_operators_end_a_command_unless_they_are_quoted() -> None:
    found = [found for found, _ in words('npm ci && npm test || true; echo "a && b" | tee log')]
    assert found == [("npm", "ci"), ("npm", "test"), ("true",), ("echo", "a && b"), ("tee", "log")]


def test_a_line_goes_on_after_a_backslash() -> None:
    assert [found for found, _ in words("pytest \\\n  tests/evals")] == [("pytest", "tests/evals")]


def test_cd_changes_the_folder_of_what_follows_and_never_leaves_the_project() -> None:
    assert words("cd evals\npytest\ncd ../..\nmake", "app") == [(("pytest",), "app/evals"), (("make",), "")]


def test_a_failure_is_ignored_where_the_line_says_so() -> None:
    assert [command.ignored for command in commands("pytest || true\npytest || exit 1")] == [True, True, False, False]


def test_a_comment_is_no_command() -> None:
    assert words("# pytest\npytest  # all of them") == [(("pytest",), "")]


def test_an_expression_of_the_ci_service_is_one_word() -> None:
    assert [found for found, _ in words("pytest ${{ matrix.a && 'x y' }}")] == [("pytest", "EXPRESSION")]


def test_a_quote_that_never_closes_is_read_as_words() -> None:
    assert [found for found, _ in words("echo 'never\npytest")] == [("echo", "'never"), ("pytest",)]


def test_an_option_has_its_value_in_both_spellings() -> None:
    (command,) = commands("promptfoo eval --repeat=3 -c a.yaml")
    assert command.option("--repeat") == "3"
    assert command.option("-c", "--config") == "a.yaml"
    assert command.option("--none") is None
    assert command.operands(frozenset({"-c"})) == ("eval",)
