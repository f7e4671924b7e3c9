"""A range admits the versions that pip and npm would install."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from agent_architecture.semantics.manifests import semver, specifiers
from agent_architecture.semantics.manifests.ranges import choose, newest_of, normalise, poetry, read, satisfies

# Range, versions inside, versions outside: after the tables in npm's documentation of semver.
NPM_RANGES = (
    ("1.2.3", "1.2.3", "1.2.4 1.2.3-beta.1"),
    ("=1.2.3", "1.2.3 1.2.3+build", "1.2.2"),
    ("v1.2.3", "1.2.3", "2.0.0"),
    ("^1.2.3", "1.2.3 1.9.9", "1.2.2 2.0.0 2.0.0-rc.1 1.3.0-beta.1"),
    ("^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"),
    ("^0.0.3", "0.0.3", "0.0.4 0.0.2"),
    ("^0.0", "0.0.0 0.0.9", "0.1.0"),
    ("^0", "0.0.0 0.9.9", "1.0.0"),
    ("^0.x", "0.5.0", "1.0.0"),
    ("^1.x", "1.0.0 1.5.0", "2.0.0"),
    ("^0.0.x", "0.0.5", "0.1.0"),
    ("^1.2.3-beta.2", "1.2.3-beta.2 1.2.3-beta.10 1.2.3 1.3.0", "1.2.3-beta.1 1.2.4-beta.2 2.0.0"),
    ("~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"),
    ("~1.2", "1.2.0 1.2.9", "1.3.0"),
    ("~1", "1.0.0 1.9.0", "2.0.0"),
    ("~> 1.2.3", "1.2.5", "1.3.0"),
    ("1.2", "1.2.0 1.2.9", "1.3.0"),
    ("1.2.x", "1.2.0", "1.3.0"),
    ("1.X", "1.9.0", "2.0.0"),
    (">1.2", "1.3.0", "1.2.9"),
    (">1", "2.0.0", "1.9.9"),
    (">=1.2", "1.2.0 9.0.0", "1.1.9"),
    ("<=1.2", "1.2.9 0.1.0", "1.3.0"),
    ("<1.2", "1.1.9", "1.2.0"),
    (">= 1.2.3 < 2", "1.2.3 1.9.0", "2.0.0 1.2.2"),
    ("1.2.3 - 2.3.4", "1.2.3 2.3.4", "2.3.5"),
    ("1.2 - 2.3", "1.2.0 2.3.9", "2.4.0"),
    ("1.2.3 - 2", "2.9.9", "3.0.0"),
    ("^4.0.0 || ^5.0.0", "4.1.0 5.1.0", "3.0.0 6.0.0"),
    ("^3 || ^4.0.0-0", "4.0.0-beta.1", "4.1.0-beta.1"),
    (">1.0.0-alpha", "1.0.0-beta 1.0.0 2.0.0", "1.0.0-alpha 2.0.0-beta"),
    ("<1.0.0-2", "0.9.0 1.0.0-1", "1.0.0-2 1.0.0-alpha 1.0.0"),
)


@pytest.mark.parametrize(("text", "inside", "outside"), NPM_RANGES)
def test_an_npm_range_admits_what_npm_admits(text: str, inside: str, outside: str) -> None:
    found = semver.read_range(text)
    assert found is not None
    assert [version for version in inside.split() if not found.admits(version)] == []
    assert [version for version in outside.split() if found.admits(version)] == []


@pytest.mark.parametrize("text", ["", "*", "x", "latest", "git+ssh://host/x#v1", "file:../x", "1.2.3.4", "^", "1.2.y"])
def test_what_is_no_range_restricts_nothing(text: str) -> None:
    assert read("npm", text) is None


def test_npm_versions_are_ordered_as_semver_says() -> None:
    order = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
    ]
    order += ["1.0.0", "1.9.0", "1.10.0"]
    assert [newest_of("npm", order[: end + 1][::-1]) for end in range(len(order))] == order


numbers = st.integers(0, 3)
versions = st.builds("{}.{}.{}".format, numbers, numbers, numbers)


@given(low=versions, version=versions)
def test_a_caret_is_between_itself_and_the_next_breaking_version(low: str, version: str) -> None:
    parts = [int(part) for part in low.split(".")]
    place = next((i for i, part in enumerate(parts) if part), 2)
    upper = ".".join(map(str, [*parts[:place], parts[place] + 1, 0, 0][:3]))
    caret, plain = semver.read_range(f"^{low}"), semver.read_range(f">={low} <{upper}")
    assert caret is not None
    assert plain is not None
    assert caret.admits(version) == plain.admits(version)


@given(text=st.text("0123456789.x*^~<>=|- \tv", max_size=30))
def test_no_text_breaks_the_reader_of_npm_ranges(text: str) -> None:
    found = semver.read_range(text)
    assert found is None or found.admits("1.2.3") in {True, False}


@pytest.mark.parametrize(
    ("written", "inside", "outside"),
    [
        ("^1.2.3", "1.2.3 1.9", "2.0 1.2.2"),
        ("^0.2.3", "0.2.9", "0.3"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^1.2", "1.9", "2.0"),
        ("^0", "0.9", "1.0"),
        ("~1.2.3", "1.2.9", "1.3"),
        ("~1.2", "1.2.9", "1.3"),
        ("~1", "1.9", "2.0"),
        ("~=1.4", "1.9", "2.0"),
        ("1.2.*", "1.2.9", "1.3"),
        ("1.2.3", "1.2.3", "1.2.4"),
        (">= 1.2, <2", "1.2", "2.0"),
        (">=1.2 <2", "1.2", "2.0"),
        ("^1.0 || ^3.0", "1.5 3.5", "2.0"),
        ("*", "0.1 9.9", ""),
    ],
)
def test_a_range_of_poetry_means_what_poetry_says(written: str, inside: str, outside: str) -> None:
    assert [version for version in inside.split() if not satisfies("pypi", [poetry(written)], version)] == []
    assert [version for version in outside.split() if satisfies("pypi", [poetry(written)], version)] == []


def test_the_newest_known_version_that_the_range_admits_is_chosen() -> None:
    known = ("0.2.0", "0.6.11", "1.0.6", "1.1.10", "1.2.22")
    assert choose("pypi", [[">=0.2,<1.1"]], known) == "1.0.6"
    assert choose("pypi", [[""]], known) == "1.2.22"
    assert choose("npm", [["^0.6.0"]], known) == "0.6.11"


def test_a_range_that_admits_no_known_version_gives_the_highest_that_it_names() -> None:
    assert choose("pypi", [["==0.3.5"]], ("0.2.0", "1.0.0")) == "0.3.5"
    assert choose("pypi", [[">=0.3,!=0.3.7,<0.4"]], ("0.2.0", "1.0.0")) == "0.3"
    assert choose("pypi", [["~=0.3.5"]], ("0.2.0", "1.0.0")) == "0.3.5"
    assert choose("npm", [["^0.3.5 || ^0.5"]], ("0.2.0", "1.0.0")) == "0.5.0"
    assert choose("npm", [["<0.1"]], ("0.2.0", "1.0.0")) == "0.1.0"
    assert choose("npm", [["latest"]], ()) is None


def test_a_prerelease_is_chosen_only_when_it_is_asked_for_or_nothing_else_fits() -> None:
    assert choose("pypi", [[">=1"]], ("1.0", "2.0b1")) == "1.0"
    assert choose("pypi", [[""]], ("1.0", "2.0b1")) == "1.0"
    assert choose("pypi", [[">=2.0b1"]], ("1.0", "2.0b1", "2.0b2")) == "2.0b2"
    assert choose("pypi", [[">=1.5"]], ("1.0", "2.0b1")) == "2.0b1"
    assert choose("npm", [["^2"]], ("1.0.0", "2.0.0-beta.1", "2.1.0-beta.2")) == "2.1.0-beta.2"


def test_several_files_narrow_each_other_and_the_first_wins_where_they_conflict() -> None:
    assert choose("pypi", [[">=1"], ["<2"]], ("1.0", "1.5", "2.0")) == "1.5"
    assert choose("pypi", [["<1.2"], [">=2"]], ("1.0", "1.5", "2.0")) == "1.0"


def test_names_of_python_packages_are_normalised() -> None:
    assert normalise("pypi", "LangChain_Core.x--y") == "langchain-core-x-y"
    assert normalise("npm", "@scope/Some_Name") == "@scope/Some_Name"


@pytest.mark.parametrize(
    "text", ["9" * 5000, "==" + "9" * 5000, ">=1," * 5000, "===whatever", "==1.*.*", "\x00", "||" * 5000]
)
def test_hostile_ranges_and_versions_do_no_harm(text: str) -> None:
    for ecosystem in ("pypi", "npm"):
        assert choose(ecosystem, [[text]], ("1.0.0", text)) in {"1.0.0", text, None}
    assert poetry(text)


_RELEASES = st.lists(st.sampled_from([0, 1, 2, 10]), min_size=1, max_size=4).map(lambda n: ".".join(map(str, n)))
_PARTS = st.tuples(st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "~="]), st.sampled_from(["", " "]), _RELEASES)


@given(st.lists(_PARTS.map("".join), max_size=3).map(",".join), _RELEASES)
def test_plain_ranges_mean_what_packaging_says(text: str, version: str) -> None:
    parts = specifiers.plain(text)
    try:
        known = SpecifierSet(text)
    except InvalidSpecifier:
        assert parts is None
        return
    if parts is not None:
        assert specifiers.admits(parts, version) == known.contains(version)


def test_what_is_not_plain_is_left_to_packaging() -> None:
    for text in ("==1.*", ">=1.0rc1", "===1", ">=1,", "~=1", ">=1!2", "x"):
        assert specifiers.plain(text) is None
    parts = specifiers.plain(">=1.2, <2")
    assert parts is not None
    assert specifiers.admits(parts, "1.3rc1") is None
