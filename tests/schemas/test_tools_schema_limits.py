"""Schemas that a hostile project writes: types that contain themselves, and each other many times over."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.effects import Parameter, ParameterKind

MANY = 12
"""Fields of each of the types; a reader that follows every way to the last of them does not come back."""

PYTHON = """
from agents import function_tool
from pydantic import BaseModel

{classes}

@function_tool
def tool(value: T0) -> str:
    return "done"
"""

TYPESCRIPT = """
import {{ tool }} from "ai";
import {{ z }} from "zod";

{constants}
export const tools = {{ t: tool({{ inputSchema: T0, execute: async () => 1 }}) }};
"""


def size(parameters: tuple[Parameter, ...]) -> int:
    return sum(1 + size(parameter.fields) for parameter in parameters)


def parameters_of(folder: Path, name: str, text: str) -> tuple[Parameter, ...]:
    (folder / name).write_text(text, encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    (tool,) = pipeline.understand_agents(walked, packs, versions, program).tools
    return tool.schema.parameters


def test_python_types_that_multiply_are_read_without_multiplying(tmp_path: Path) -> None:
    def fields(number: int) -> str:
        kind = f"T{number + 1}" if number < MANY else "str"
        return "\n".join(f"    f{n}: {kind}" for n in range(MANY))

    classes = "\n\n".join(f"class T{n}(BaseModel):\n{fields(n)}" for n in range(MANY, -1, -1))
    (value,) = parameters_of(tmp_path, "main.py", PYTHON.format(classes=classes))
    assert value.kind is ParameterKind.STRUCTURE
    assert size((value,)) <= 401


def test_zod_objects_that_multiply_are_read_without_multiplying(tmp_path: Path) -> None:
    def fields(number: int) -> str:
        kind = f"T{number + 1}" if number < MANY else "z.string()"
        return ", ".join(f"f{n}: {kind}" for n in range(MANY))

    constants = "\n".join(f"const T{n} = z.object({{ {fields(n)} }});" for n in range(MANY, -1, -1))
    parameters = parameters_of(tmp_path, "main.ts", TYPESCRIPT.format(constants=constants))
    assert [parameter.name for parameter in parameters] == [f"f{n}" for n in range(MANY)]
    assert size(parameters) <= 401


@pytest.mark.parametrize("annotation", ["T0", "list[T0] | None", '"dict[str, T0]"'])
def test_a_type_that_contains_itself_ends(tmp_path: Path, annotation: str) -> None:
    classes = f"class T0(BaseModel):\n    name: str\n    inner: {annotation}"
    (value,) = parameters_of(tmp_path, "main.py", PYTHON.format(classes=classes))
    assert [field.name for field in value.fields] == ["name", "inner"]


def test_an_annotation_of_a_thousand_levels_is_read_to_its_limit(tmp_path: Path) -> None:
    nested = "list[" * 1000 + "str" + "]" * 1000
    text = f"from agents import function_tool\n\n\n@function_tool\ndef tool(value: {nested}) -> str:\n    return ''\n"
    assert [p.name for p in parameters_of(tmp_path, "main.py", text)] == ["value"]
