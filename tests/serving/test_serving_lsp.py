"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from tests.serving.editors import COMMAND, PATIENCE, Editor, editor, run

AGENT = """\
from agents import Agent, Runner

agent = Agent(name="helper")


def answer(text):
    return Runner.run_sync(agent, text, max_turns=None)
"""
LIMITED = AGENT.replace("max_turns=None", "max_turns=5")
RULE = "loop-guard-absence"
TOOL = """\
from agents import function_tool


@function_tool
def look(path: str) -> str:
    \"\"\"Look.\"\"\"
    return open(path).read()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an agent that has a tool, and no limit."""
    root = tmp_path / "project"
    root.mkdir()
    text = AGENT.replace('name="helper"', 'name="helper", tools=[look]')
    (root / "agent.py").write_text(text.replace("\n\nagent", "\nfrom tools import look\n\nagent"), encoding="utf-8")
    (root / "tools.py").write_text(TOOL, encoding="utf-8")
    (root / "requirements.txt").write_text("openai-agents==0.6.0\n", encoding="utf-8")
    return root


def the(diagnostics: list[types.Diagnostic], rule: str = RULE) -> types.Diagnostic:
    (found,) = [one for one in diagnostics if one.code == rule]
    return found


def at(place: types.Range) -> tuple[int, int, int, int]:
    return place.start.line, place.start.character, place.end.line, place.end.character


def named(path: Path) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(path.as_uri())


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


# ------------------------------------------------------------------------------------------------------------ workspace
def test_several_folders_come_and_go(project: Path, tmp_path: Path) -> None:
    inner, other = project / "inner", tmp_path / "other"
    for folder in (inner, other):
        shutil.copytree(project, folder, ignore=shutil.ignore_patterns("inner"))
    files = [folder / "agent.py" for folder in (project, inner, other)]

    async def question() -> None:
        async with editor(project, inner) as one:
            await one.until(lambda: all(RULE in one.rules(file) for file in files[:2]))
            assert len([found for found in one.told[files[1]].diagnostics if found.code == RULE]) == 1
            event = types.WorkspaceFoldersChangeEvent(
                [types.WorkspaceFolder(other.as_uri(), "other")], [types.WorkspaceFolder(project.as_uri(), "project")]
            )
            one.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
            await one.until(lambda: RULE in one.rules(files[2]) and not one.rules(files[0]))
            assert RULE in one.rules(files[1])

    run(question)


def test_a_configuration_holds_from_when_it_is_saved_and_what_is_wrong_in_it_is_said(project: Path) -> None:
    agent, configuration = project / "agent.py", project / "agent-architecture.yaml"

    async def question() -> None:
        async with editor(project) as one:
            await one.until(lambda: RULE in one.rules(agent))
            configuration.write_text("ignore:\n  - {rule: loop-guard-absence, reason: one turn}\n", encoding="utf-8")
            one.touched(configuration)
            await one.until(lambda: RULE not in one.rules(agent))
            configuration.write_text("policy:\n  fail_onn: high\n", encoding="utf-8")
            one.touched(configuration)
            await one.until(lambda: configuration in one.told)
            (wrong,) = one.told[configuration].diagnostics
            assert at(wrong.range)[:2] == (1, 2)
            assert "did you mean fail_on?" in wrong.message
            configuration.unlink()
            one.touched(configuration)
            await one.until(lambda: RULE in one.rules(agent) and not one.told[configuration].diagnostics)

    run(question)


def test_files_that_change_on_the_disk_are_seen_unless_they_are_open(project: Path) -> None:
    agent = project / "agent.py"
    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(did_change_watched_files=watched)
    )

    async def question() -> None:
        async with editor(project, capabilities=capabilities) as one:
            await one.until(lambda: RULE in one.rules(agent) and bool(one.registered))
            assert one.registered == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
            limited = agent.read_text(encoding="utf-8").replace("None", "5")
            one.open(agent)
            await one.current(agent)
            agent.write_text(limited, encoding="utf-8")
            (project / "second.py").write_text(AGENT.replace("helper", "second"), encoding="utf-8")
            one.touched(agent, project / "second.py")
            await one.until(lambda: bool(one.rules(project / "second.py")))
            assert RULE in one.rules(agent)
            one.close(agent)
            await one.until(lambda: RULE not in one.rules(agent))

    run(question)


def test_a_folder_that_vanishes_and_comes_back(project: Path) -> None:
    agent, away = project / "agent.py", project.parent / "away"

    async def question() -> None:
        async with editor(project) as one:
            await one.until(lambda: RULE in one.rules(agent))
            shutil.move(project, away)
            one.touched(agent)
            await one.until(lambda: not one.rules(agent))
            shutil.move(away, project)
            one.touched(agent)
            await one.until(lambda: RULE in one.rules(agent))

    run(question)


def test_without_a_folder_a_file_is_looked_at_alone(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor() as one:
            one.open(agent)
            assert RULE in {found.code for found in await one.current(agent)}
            assert set(one.told) == {agent}  # what it imports is not looked at
            one.close(agent)
            await one.until(lambda: not one.rules(agent))

    run(question)


def test_how_far_a_long_analysis_is_can_be_shown(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"agent_{number}.py").write_text(AGENT.replace("helper", f"a{number}"), encoding="utf-8")
    window = types.WindowClientCapabilities(work_done_progress=True)

    async def question() -> list[object]:
        async with editor(tmp_path, capabilities=types.ClientCapabilities(window=window)) as one:
            await one.until(lambda: len(one.told) == 150)
            return one.bars

    kinds = [bar["kind"] if isinstance(bar, dict) else getattr(bar, "kind", "") for bar in run(question)]
    assert not kinds or (kinds[0], kinds[-1]) == ("begin", "end")  # a fast machine shows none


# -------------------------------------------------------------------------------------------------------------- hostile
def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_messages_that_are_none_are_survived(project: Path) -> None:
    agent = project / "agent.py"

    async def question() -> None:
        async with editor(project) as one:
            await one.until(lambda: RULE in one.rules(agent))
            writer: Any = one.client.protocol.writer
            for body in (
                b"{", b"[]", b'"text"', b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"1.0","method":"x"}',
                b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"x":1}}',
                b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:x","languageId":"p","version":1,"text":"x"}}}',
                b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///no","version":2},"contentChanges":[{"text":"x"}]}}',
                b'{"jsonrpc":"2.0","method":"$/unknown","params":{"deep":' + b"[" * 500 + b"]" * 500 + b"}}",
                b'{"jsonrpc":"2.0","id":77,"method":"no/such"}', b"\xff\xfe",
            ):  # fmt: skip
                writer.write(framed(body))
            await writer.drain()
            uri = one.open(agent)
            assert RULE in {found.code for found in await one.current(agent)}
            for position in ((7, 10**6), (10**6, 0)):
                one.replace(agent, position, position, "")
            assert RULE in {found.code for found in await one.current(agent)}
            wrong = types.ExecuteCommandParams("agent-architecture.ignore", [uri, "x"])
            with pytest.raises(Exception, match=r"."):
                await one.client.workspace_execute_command_async(wrong)
            assert one.logged

    run(question)


def test_an_editor_that_goes_away_without_a_word_leaves_no_process() -> None:
    for arguments in ([], ["--stdio"]):
        done = subprocess.run([*COMMAND, *arguments], input=b"", capture_output=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stdout) == (1, b"")


def test_without_the_library_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None\n"
        "from agent_architecture.cli import main\nraise SystemExit(main(['lsp']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'agent-architecture[lsp]'" in done.stderr


def test_our_own_analyser_finds_nothing_above_low_in_the_server() -> None:
    import json

    package = Path(__file__).parents[2] / "src" / "agent_architecture" / "language_server"
    command = [sys.executable, "-m", "agent_architecture", "analyze", str(package), "--format", "json", "--no-progress"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert said["project"]["files"]["judged_role"] == "app"
    assert {one["severity"] for one in said["results"][0].get("findings", ())} <= {"low"}
