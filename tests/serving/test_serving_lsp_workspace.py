"""The language server in workspaces that change, and with messages that are none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from tests.serving.agents import AGENT, RULE, at
from tests.serving.editors import COMMAND, PATIENCE, editor, run


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
    package = Path(__file__).parents[2] / "src" / "agent_architecture" / "language_server"
    command = [sys.executable, "-m", "agent_architecture", "analyze", str(package), "--format", "json", "--no-progress"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert said["project"]["files"]["judged_role"] == "app"
    assert {one["severity"] for one in said["results"][0].get("findings", ())} <= {"low"}
