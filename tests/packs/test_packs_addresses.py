"""Addresses: alternatives of steps, and the grammar's errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.addresses import ELEMENT, EVERY, SELF, made_by, parse_address


@pytest.mark.parametrize(
    ("text", "alternatives"),
    [
        ("tools", (("tools",),)),
        ("config.recursion_limit | 1.recursion_limit", (("config", "recursion_limit"), (1, "recursion_limit"))),
        ("0|starting_agent", ((0,), ("starting_agent",))),
        ("handoffs[]", (("handoffs", ELEMENT),)),
        ("0.tests[].assert[].type", ((0, "tests", ELEMENT, "assert", ELEMENT, "type"),)),
        ("graphs.*", (("graphs", EVERY),)),
        ("*", ((EVERY,),)),
        ("self", ((SELF,),)),
        ("self.0", ((SELF, 0),)),
        ("self.tasks.-1.output_json", ((SELF, "tasks", -1, "output_json"),)),
        ("()", ((),)),
        ("path | ()", (("path",), ())),
        ("1.=text | 2.=object", ((1, "=text"), (2, "=object"))),
    ],
)
def test_an_address_is_a_list_of_alternatives_of_steps(text: str, alternatives: object) -> None:
    assert parse_address(text).alternatives == alternatives


def test_an_element_step_can_name_the_call_that_made_the_element() -> None:
    (steps,) = parse_address("middleware[ModelCallLimitMiddleware].run_limit").alternatives
    assert steps == ("middleware", "[ModelCallLimitMiddleware]", "run_limit")
    assert [made_by(step) for step in (*steps, ELEMENT, 0)] == [None, "ModelCallLimitMiddleware", None, "", None]


@pytest.mark.parametrize("text", ["", "a..b", "a |", "a b", "[]", "(x)", "a[0", "()[]", "=text", "1.=number"])
def test_what_is_no_address_is_refused_by_its_own_spelling(text: str) -> None:
    with pytest.raises(PackError) as error:
        parse_address(text)
    assert f"{text!r} is no address" in str(error.value)


@given(st.text(alphabet="ab01.|[]()* ", max_size=30))
def test_any_text_is_an_address_or_a_pack_error(text: str) -> None:
    try:
        address = parse_address(text)
    except PackError:
        return
    assert len(address.alternatives) == text.count("|") + 1
