"""What tracers, spans and runs are read to say of tracing: what a page's comments do not show."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.settings import Scalar
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import matches
from agent_architecture.semantics.packs import packs
from agent_architecture.semantics.packs.packs import load_packs


@pytest.fixture(autouse=True)
def packs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All packs are read once for all cases."""
    monkeypatch.setattr(packs, "load_packs", _all_packs)


@lru_cache(maxsize=1)
def _all_packs() -> packs.Packs:
    return load_packs()


def said(folder: Path, kind: str, name: str, code: str, **files: str) -> list[Scalar]:
    """The values of a property of everything of a kind in one file of Python, or of TypeScript."""
    texts = {"main.ts" if 'from "' in code else "main.py": code, **{k.replace("_", "."): v for k, v in files.items()}}
    texts["model.py"] = "import openai\n"  # without a library that makes agents or calls models nothing is looked for
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    known, versions, program = pipeline.understand_names(pipeline.read_sources([folder], Config()))
    context = Context(program, known, versions, matches(program, known))
    settings = [effective(context, match, name) for match in context.of_kind(kind)]
    return [setting.values[0] if setting.values else None for setting in settings]


LANGFUSE = "from langfuse import Langfuse\n\nLangfuse()\n"
LOGFIRE = "import logfire\n\nlogfire.instrument_openai()\n"
AGENT = "from agent_framework import Agent\n\nAgent(client).run('hello')\n"
TEAM = "from autogen_agentchat.teams import Swarm\n\nSwarm([]).run(task='hello')\n"
CLERK = "from pydantic_ai import Agent\nfrom pydantic_ai.models.instrumented import InstrumentationSettings\n\n"


@pytest.mark.parametrize(
    ("asked", "code", "pinned", "expected"),
    [
        (("tracer", "scope"), LANGFUSE, "langfuse==2.60.10", None),
        (("tracer", "scope"), LANGFUSE, "langfuse==3.0.0", "opened"),
        (("tracer", "convention"), LOGFIRE, "logfire==4.20.0", "own"),
        (("tracer", "convention"), LOGFIRE, "logfire==5.0.0", "gen_ai"),
        (("run", "tracing"), AGENT, "agent-framework-core==1.5.0", False),
        (("run", "tracing"), AGENT, "agent-framework-core==1.6.0", "gen_ai"),
        (("run", "tracing"), AGENT, "agent-framework-core==1.15.0", "gen_ai_old"),
        (("run", "tracing"), TEAM, "autogen-agentchat==0.6.1", None),
        (("run", "tracing"), TEAM, "autogen-agentchat==0.6.2", "gen_ai_old"),
    ],
)
def test_what_is_traced_depends_on_the_version(
    tmp_path: Path, asked: tuple[str, str], code: str, pinned: str, expected: Scalar
) -> None:
    assert said(tmp_path, *asked, code, requirements_txt=f"{pinned}\n") == [expected]


@pytest.mark.parametrize(
    ("kind", "name", "code", "expected"),
    [
        ("agent", "tracing", CLERK + "Agent('m', instrument=True)\n", "gen_ai"),
        ("agent", "tracing", CLERK + "Agent('m', instrument=InstrumentationSettings(version=2))\n", "gen_ai"),
        ("agent", "tracing", CLERK + "Agent('m')\n", False),
        ("tracer", "enabled", "from agents import set_tracing_disabled\n\nset_tracing_disabled(True)\n", False),
        ("tracer", "scope", "from phoenix.otel import register\n\nregister(batch=True)\n", "opened"),
        (
            "tracer",
            "captures_content",
            (
                "from openinference.instrumentation import TraceConfig\n"
                "from openinference.instrumentation.openai import OpenAIInstrumentor\n\n"
                "OpenAIInstrumentor().instrument(config=TraceConfig(hide_inputs=True))\n"
            ),
            False,
        ),
        (
            "run",
            "tracing",
            (
                'import { generateText } from "ai";\n\n'
                "await generateText({ model, tools: { a }, experimental_telemetry: { isEnabled: true } });\n"
            ),
            "gen_ai_old",
        ),
        (
            "tracer",
            "convention",
            (
                'import { OpenTelemetry } from "@ai-sdk/otel";\nimport { registerTelemetry } from "ai";\n\n'
                "registerTelemetry(new OpenTelemetry());\n"
            ),
            "gen_ai",
        ),
        (
            "span",
            "work",
            (
                'import { startActiveObservation } from "@langfuse/tracing";\n\n'
                'await startActiveObservation("ask", async () => 1, { asType: "generation" });\n'
            ),
            "model",
        ),
    ],
)
def test_what_is_written_is_read_in_the_vocabularys_words(
    tmp_path: Path, kind: str, name: str, code: str, expected: Scalar
) -> None:
    assert said(tmp_path, kind, name, code) == [expected]


def test_an_instrumentor_that_is_told_to_find_all_libraries_names_them(tmp_path: Path) -> None:
    (scope,) = said(
        tmp_path, "tracer", "scope", "from phoenix.otel import register\n\nregister(auto_instrument=True)\n"
    )
    assert {"opened", "openai", "langgraph", "crewai"} <= set(str(scope).split())


@pytest.mark.parametrize(("version", "expected"), [("6.0.326", False), ("7.0.173", None)])
def test_options_of_telemetry_without_the_switch_trace_nothing(tmp_path: Path, version: str, expected: Scalar) -> None:
    code = 'import { generateText } from "ai";\n\n'
    code += 'await generateText({ model, tools: { a }, experimental_telemetry: { functionId: "ask" } });\n'
    manifest = f'{{"dependencies": {{"ai": "{version}"}}}}'
    assert said(tmp_path, "run", "tracing", code, package_json=manifest) == [expected]
