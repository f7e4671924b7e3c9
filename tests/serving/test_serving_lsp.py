"""The language server, asked by a real client over standard input and output: what it shows, and what can be done."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from tests.serving.agents import AGENT, RULE, TOOL, at, named, the
from tests.serving.editors import Editor, editor, run


# ---------------------------------------------------------------------------------------------------------- diagnostics
def test_gaps_are_told_as_one_types_and_of_files_that_are_not_open(project: Path) -> None:
    agent, tools = project / "agent.py", project / "tools.py"

    async def question() -> None:
        async with editor(project) as one:
            await one.until(lambda: RULE in one.rules(agent))
            gap = the(list(one.told[agent].diagnostics))
            assert (gap.severity, gap.source) == (types.DiagnosticSeverity.Error, "agent-architecture")
            assert at(gap.range) == (7, 11, 7, 55)
            assert gap.message.splitlines()[0].startswith("Runner.run_sync: the step limit is switched off")
            assert "max_turns" in gap.message.splitlines()[1]
            assert gap.code_description is not None
            assert gap.code_description.href.endswith("/835.html")
            await one.until(lambda: bool(one.rules(tools)))
            assert one.told[agent].version is None

            one.open(agent)
            assert RULE in {diagnostic.code for diagnostic in await one.current(agent)}
            line = one.texts[agent].splitlines()[7]
            start = line.index("None")
            one.replace(agent, (7, start), (7, start + 4), "5")  # not saved
            assert RULE not in {diagnostic.code for diagnostic in await one.current(agent)}
            assert "max_turns=None" in agent.read_text(encoding="utf-8")

            one.close(agent)
            await one.until(lambda: RULE in one.rules(agent) and one.told[agent].version is None)

    run(question)


def test_an_edit_of_one_file_changes_what_is_said_of_another(project: Path) -> None:
    agent, tools = project / "agent.py", project / "tools.py"

    async def question() -> None:
        async with editor(project) as one:
            one.open(tools)
            await one.until(lambda: "untrusted-tool-output-boundary-gap" in one.rules(tools))
            one.open(agent)
            await one.current(agent)
            one.write(agent, one.texts[agent].replace("tools=[look]", "tools=[]"))
            await one.until(lambda: "untrusted-tool-output-boundary-gap" not in one.rules(tools))

    run(question)


def test_of_many_edits_in_a_row_the_last_one_is_answered(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> int:
        async with editor(project) as one:
            one.open(agent)
            await one.current(agent)
            before, text = one.count, one.texts[agent]
            for number in range(20):
                one.write(agent, text.replace("None", str(number + 1)))
                await asyncio.sleep(0.02)
            assert RULE not in {diagnostic.code for diagnostic in await one.current(agent)}
            assert one.told[agent].version == 21
            return one.count - before

    assert run(question) < 20


def test_a_file_that_changes_all_the_time_does_not_put_the_answer_off(project: Path) -> None:
    agent, log = project / "agent.py", project / "notes.md"

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent)
            await one.current(agent)
            one.write(agent, one.texts[agent].replace("None", "5"))
            answered = asyncio.create_task(one.current(agent))
            while not answered.done():
                log.write_text(f"{one.count}\n", encoding="utf-8")
                one.touched(log)
                await asyncio.sleep(0.02)
            assert RULE not in {diagnostic.code for diagnostic in await answered}

    run(question)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_are_counted_in_the_units_that_were_agreed_on(tmp_path: Path, encoding: str) -> None:
    units = {"utf-8": 9, "utf-16": 4, "utf-32": 3}[encoding]
    file = tmp_path / "agent.py"
    text = AGENT.replace("    return", "    'ä\u2028😀'; return").replace('"helper"', '"h\u0085\x0c", tools=[look]')
    text = TOOL + text
    file.write_text(text, encoding="utf-8")
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(encoding)])

    async def question() -> None:
        async with editor(tmp_path, capabilities=types.ClientCapabilities(general=general)) as one:
            assert one.capabilities is not None
            assert one.capabilities.position_encoding == encoding
            one.open(file)
            gap = the(await one.current(file))
            start = len("    '") + units + len("'; return Runner.")
            line = text.split("\n").index(next(row for row in text.split("\n") if "Runner.run_sync" in row))
            assert at(gap.range)[:2] == (line, start - len("Runner."))
            column = start + len("run_sync(agent, text, max_turns=")
            one.replace(file, (line, column), (line, column + 4), "3")
            assert RULE not in {diagnostic.code for diagnostic in await one.current(file)}

    run(question)


def test_text_of_the_project_is_made_visible(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(TOOL.replace("look", "lo\u043ek") + AGENT.replace("helper", "\u202eevil\x1b[31m"), encoding="utf-8")

    async def question() -> None:
        async with editor(tmp_path) as one:
            one.open(file)
            diagnostics = await one.current(file)
            lenses = await one.client.text_document_code_lens_async(types.CodeLensParams(named(file)))
            said = [diagnostic.message for diagnostic in diagnostics] + [
                lens.command.title for lens in lenses or () if lens.command
            ]
            assert said
            assert not any(char in text for text in said for char in "\u202e\x1b")

    run(question)


def test_what_hides_nothing_is_said_where_it_stands(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent)
            await one.current(agent)
            one.write(
                agent,
                one.texts[agent].replace("max_turns=None)", f"max_turns=5)  # agent-architecture: ignore[{RULE}] x"),
            )
            (notice,) = [found for found in await one.current(agent) if found.code is None]
            assert (notice.severity, notice.range.start.line) == (types.DiagnosticSeverity.Hint, 7)
            assert "hides nothing" in notice.message

    run(question)


# -------------------------------------------------------------------------------------------------------------- screens
def test_hover_shows_the_screen_of_the_rule(project: Path) -> None:
    agent = project / "agent.py"
    marked = types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
    capabilities = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=marked))
    command = [sys.executable, "-m", "agent_architecture", "explain", RULE, "--width", "80", "--color", "never"]
    screen = subprocess.run(command, cwd=project, capture_output=True, check=True, encoding="utf-8").stdout

    async def ask(one: Editor, line: int, column: int) -> types.Hover | None:
        return await one.client.text_document_hover_async(types.HoverParams(named(agent), types.Position(line, column)))

    async def plain() -> str:
        async with editor(project) as one:
            one.open(agent)
            await one.current(agent)
            one.replace(agent, (0, 0), (0, 0), "# one line more\n")  # asked before the next answer
            hover = await ask(one, 8, 30)
            assert await ask(one, 1, 3) is None
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert hover.contents.kind == types.MarkupKind.PlainText
            return hover.contents.value

    async def markdown() -> str:
        async with editor(project, capabilities=capabilities) as one:
            one.open(agent, f"# agent-architecture: ignore[{RULE}] x\n" + agent.read_text(encoding="utf-8"))
            await one.current(agent)
            hover = await ask(one, 0, 35)
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            return hover.contents.value

    assert screen in run(plain)
    told = run(markdown)
    assert told.startswith("### Agent run without an effective step limit")
    assert "```python\nresult = await Runner.run(agent, input, max_turns=10)" in told


def test_a_lens_counts_the_verdicts_of_a_site_and_its_command_tells_them(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project) as one:
            uri = one.open(agent)
            await one.current(agent)
            lenses = await one.client.text_document_code_lens_async(types.CodeLensParams(named(agent)))
            (lens,) = [found for found in lenses or () if found.range.start.line == 7]
            assert lens.command is not None
            assert lens.command.title.startswith("Runner.run_sync: ")
            gaps = int(lens.command.title.split()[1])
            params = types.ExecuteCommandParams(lens.command.command, [uri, 7])
            await one.client.workspace_execute_command_async(params)
            await one.until(lambda: bool(one.shown))
            assert one.shown[0].count("  missing: ") == gaps
            assert f"  missing: {RULE}: Runner.run_sync: the step limit is switched off" in one.shown[0]

    run(question)


def test_rules_that_are_named_are_links_to_their_pages(project: Path) -> None:
    agent, configuration = project / "agent.py", project / "agent-architecture.yaml"
    configuration.write_text(f"ignore:\n  - rule: {RULE}\n    reason: one turn\n", encoding="utf-8")

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent, f"x = '{RULE}'\n# agent-architecture: ignore[{RULE}, tool-policy-absence, nothing] x\n")
            one.open(configuration)
            links = await one.client.text_document_document_link_async(types.DocumentLinkParams(named(agent))) or ()
            assert [at(link.range) for link in links] == [(1, 29, 1, 47), (1, 49, 1, 68)]
            assert [Path(str(link.target)).name for link in links] == [
                "loop_guard_absence.md",
                "tool_policy_absence.md",
            ]
            more = await one.client.text_document_document_link_async(types.DocumentLinkParams(named(configuration)))
            assert [at(link.range) for link in more or ()] == [(1, 10, 1, 28)]

    run(question)


# -------------------------------------------------------------------------------------------------------------- actions
def test_a_quick_fix_closes_the_gap(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent)
            gap = the(await one.current(agent))
            fixes = [found for found in await one.actions(agent, [gap]) if "max_turns" in found.title]
            assert [(found.kind, found.is_preferred) for found in fixes] == [(types.CodeActionKind.QuickFix, False)]
            assert fixes[0].edit is not None
            one.apply(fixes[0].edit)
            assert RULE not in {found.code for found in await one.current(agent)}
            assert "max_turns=20" in one.texts[agent]

    run(question)


def test_a_finding_is_ignored_once_a_reason_is_written(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent)
            gap = the(await one.current(agent))
            (action,) = [found for found in await one.actions(agent, [gap]) if found.title.startswith("Ignore")]
            assert action.edit is not None
            one.apply(action.edit)
            now = await one.current(agent)
            assert any("gives no reason and hides nothing" in found.message for found in now)
            assert RULE in {found.code for found in now}
            one.write(agent, one.texts[agent].replace(f"ignore[{RULE}]", f"ignore[{RULE}] one turn"))
            now = await one.current(agent)
            assert RULE not in {found.code for found in now}
            assert all(found.code for found in now)

    run(question)


def test_an_editor_that_asks_for_the_reason_has_the_comment_written(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project, options={"asksReason": True}) as one:
            uri = one.open(agent)
            gap = the(await one.current(agent))
            params = types.CodeActionParams(named(agent), gap.range, types.CodeActionContext([gap]))
            actions = await one.client.text_document_code_action_async(params)
            assert any("agent-architecture.askReason" in str(found.command) for found in actions or ())
            wrong = types.ExecuteCommandParams("agent-architecture.ignore", [uri, 7, RULE, "a */ b"])
            await one.client.workspace_execute_command_async(wrong)
            await one.until(lambda: bool(one.shown))
            assert "closes no comment" in one.shown[0]
            right = types.ExecuteCommandParams("agent-architecture.ignore", [uri, 7, RULE, "one turn"])
            await one.client.workspace_execute_command_async(right)
            one.apply(one.applied[0])
            assert RULE not in {found.code for found in await one.current(agent)}

    run(question)
