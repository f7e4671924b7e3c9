"""Every language has its lowering, and no bytes make one raise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax.parse import parse

READABLE = {
    Language.PYTHON: "run()",
    Language.NOTEBOOK: '{"cells": [{"cell_type": "code", "source": ["run()"]}]}',
    Language.JAVASCRIPT: "run()",
    Language.TYPESCRIPT: "run()",
    Language.TSX: "run()",
    Language.JSON: '{"a": 1}',
    Language.YAML: "a: 1",
    Language.TOML: "a = 1",
    Language.ENV: "A=1",
    Language.DOCKERFILE: "FROM a",
    Language.MARKDOWN: "# a",
    Language.PROMPT: "Hello {{ a }}",
}


def test_only_plain_text_has_no_ir() -> None:
    assert set(Language) - set(READABLE) == {Language.TEXT}
    assert parse(SourceFile("a", Language.TEXT, Role.APP, b"a==1")).body == ()


@pytest.mark.parametrize("language", READABLE)
def test_every_language_is_read(language: Language) -> None:
    module = parse(SourceFile("a", language, Role.APP, READABLE[language].encode()))
    assert (module.path, module.language, module.role) == ("a", language, Role.APP)
    assert module.body
    assert module.notices == ()


@settings(deadline=None, max_examples=20)
@given(st.binary(max_size=100))
@pytest.mark.parametrize("language", Language)
def test_no_bytes_raise(language: Language, data: bytes) -> None:
    module = parse(SourceFile("a", language, Role.APP, data))
    assert module.language is language
    assert isinstance(module.body, tuple)
