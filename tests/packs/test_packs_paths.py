"""API paths: braces, the canonical form, names, and the grammar's errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.api_paths import boundaries, canonical, ecosystem_of, expand, last_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("py:a:b", ("py:a:b",)),
        ("py:a:{b,c}", ("py:a:b", "py:a:c")),
        ("py:a:{,a}invoke", ("py:a:invoke", "py:a:ainvoke")),
        ("py:{a,b}:{c,d}", ("py:a:c", "py:a:d", "py:b:c", "py:b:d")),
        ("py:a:{b,c{d,e.{f,g}}}()", ("py:a:b()", "py:a:cd()", "py:a:ce.f()", "py:a:ce.g()")),
    ],
)
def test_braces_stand_for_all_their_spellings_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert expand(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("py:a:{b", "'{' without its '}'"),
        ("py:a:b}", "'}' without its '{'"),
        ("py:a:{b,{c}", "'{' without its '}'"),
        ("{a,b}" * 12, "more than"),
        ("{" * 500, "too deeply"),
    ],
)
def test_braces_that_do_not_match_or_explode_are_refused_with_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(PackError) as error:
        expand(text)
    assert problem in str(error.value)


@given(st.text(alphabet="ab.{},():", max_size=40))
def test_expanding_any_text_ends_in_spellings_without_braces_or_in_a_pack_error(text: str) -> None:
    try:
        spellings = expand(text)
    except PackError:
        return
    assert spellings
    assert not any(mark in spelling for spelling in spellings for mark in "{}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("py:langgraph.graph:StateGraph().compile().invoke", "py:langgraph.graph.StateGraph().compile().invoke"),
        ("py:langgraph.graph.StateGraph", "py:langgraph.graph.StateGraph"),
        ("py:agents:Agent[]", "py:agents.Agent[]"),
        ("py:builtins:eval", "py:builtins.eval"),
        ("npm:@openai/agents:Runner().run", "npm:@openai/agents:Runner().run"),
        ("npm:node:child_process:exec", "npm:child_process:exec"),
        ("npm:openai:default", "npm:openai:default"),
        ("npm:zod", "npm:zod:"),
        ("npm:x.js:()", "npm:x.js:()"),
        ("npm:globalThis:process.env", "npm:globalThis:process.env"),
        ("npm:execa:$", "npm:execa:$"),
    ],
)
def test_the_canonical_form_has_dots_in_python_and_one_colon_after_an_npm_specifier(text: str, expected: str) -> None:
    assert canonical(text) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize(
    "text", ["langgraph:StateGraph", "rb:rails:X", "py:", "py:a b", "py:a..b", "py:a:(x)", "npm::x", "npm:a:b..c"]
)
def test_what_is_no_path_is_refused_by_its_own_spelling(text: str) -> None:
    with pytest.raises(PackError) as error:
        canonical(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("py:langgraph.graph.StateGraph().compile().invoke", "invoke"),
        ("py:langgraph.graph.StateGraph()", "StateGraph"),
        ("py:agents.Agent[]()", "Agent"),
        ("npm:@openai/agents:run", "run"),
        ("npm:openai:default()", "default"),
        ("npm:zod:", ""),
    ],
)
def test_the_last_name_is_what_a_call_of_the_path_is_spelled_with(path: str, name: str) -> None:
    assert last_name(path) == name


def test_the_ecosystem_follows_from_the_prefix() -> None:
    assert ecosystem_of("py:a.b") == "pypi"
    assert ecosystem_of("npm:a:b") == "npm"


def test_prefixes_end_only_between_steps_and_the_longest_comes_first() -> None:
    path = "npm:@a/b.js:C().d"
    assert [path[:end] for end in boundaries(path)] == [
        "npm:@a/b.js:C().d",
        "npm:@a/b.js:C()",
        "npm:@a/b.js:C",
        "npm:@a/b.js:",
    ]
    path = "py:a.b().c"
    assert [path[:end] for end in boundaries(path)] == ["py:a.b().c", "py:a.b()", "py:a.b", "py:a"]
