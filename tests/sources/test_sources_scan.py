"""The scanner finds the same words as a search for each of them would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.sources.scan import Scanner

few_letters = st.text("ab\x00é", min_size=1, max_size=5).map(str.encode)


@given(words=st.lists(few_letters, max_size=8), data=st.lists(few_letters, max_size=30).map(b"".join))
def test_words_inside_and_across_each_other_are_found(words: list[bytes], data: bytes) -> None:
    assert Scanner(words).hits(data) == {word for word in words if word in data}


@given(offset=st.integers(65_500, 65_600), word=st.sampled_from([b"langgraph", b"ai"]))
def test_a_word_across_the_border_of_two_pieces_is_found(offset: int, word: bytes) -> None:
    data = b"-" * offset + word + b"-" * 70_000
    assert Scanner((b"ai", b"langgraph")).hits(data) == {word}


def test_the_order_of_the_words_does_not_matter() -> None:
    assert Scanner([b"b", b"a", b"b"]).words == Scanner([b"a", b"b"]).words


def test_an_empty_word_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Scanner([b"a", b""])
