"""`init`, `rules --format json` and `completion`: what they write is read back by what it is for."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess

import pytest
from configuration_project import AGENT, Project

from agent_architecture.cli import COMMANDS
from agent_architecture.configuration.keys import KEYS
from agent_architecture.contract import contract
from agent_architecture.flags import HELP, PROGRAM, parse

FILE = "agent-architecture.yaml"


# ---------------------------------------------------------------------------------------------------------------- init
def test_init_writes_a_file_that_is_valid_and_fits_the_project(project: Project) -> None:
    project.write("tests/test_agent.py", AGENT)
    project.write("tests/unit/test_more.py", AGENT)
    said = project.run("init")
    assert (said.code, said.out) == (0, f"wrote {FILE}; `agent-architecture config validate` checks it\n")
    text = (project.root / FILE).read_text()
    assert "\n  language: python\n" in text
    assert "Files of code when this was written: 3 python." in text
    assert "# Tests found: 2 files in tests.\n  #include_tests: false\n" in text
    assert "Examples found" not in text
    assert project.run("config", "validate").code == 0


def test_init_leaves_the_language_open_where_there_are_two(project: Project) -> None:
    project.write("web/chat.ts", "export const chat = 1;\n")
    project.run("init")
    assert "\n  #language: auto\n" in (project.root / FILE).read_text()


def test_every_line_of_the_file_is_valid_without_its_mark(project: Project) -> None:
    """A key that is commented out stands where it belongs: all of them together are a configuration."""
    project.run("init")
    file = project.root / FILE
    lines = file.read_text().splitlines()
    changed = [re.sub(r"^(\s*)#((?:  +)?[^\s#].*)$", r"\1\2", line) for line in lines]
    assert sum(before != after for before, after in zip(lines, changed, strict=True)) > 40
    project.write(FILE, "\n".join(changed) + "\n")
    said = project.run("config", "validate")
    assert (said.code, said.err) == (0, "")
    names = {key.name for key in KEYS} - {"languages", "baseline"}
    assert {name for name in names if not re.search(rf"^[\s-]*{name}:", "\n".join(changed), re.MULTILINE)} == set()


def test_init_overwrites_only_by_force_and_follows_no_link(project: Project) -> None:
    file = project.write(FILE, "mine: 1\n")
    said = project.run("init")
    assert (said.code, said.err) == (2, f"error: {FILE} is there already; --force overwrites it\n")
    assert file.read_text() == "mine: 1\n"
    assert project.run("init", "--force").code == 0
    assert file.read_text() != "mine: 1\n"
    file.unlink()
    file.symlink_to(project.root / "elsewhere")
    said = project.run("init", "--force")
    assert (said.code, said.err) == (2, f"error: {FILE} is a link: not overwritten\n")


def test_init_says_that_another_file_is_obeyed(project: Project) -> None:
    project.write("arxo.yaml", "data:\n")
    said = project.run("init")
    assert (said.code, said.err) == (
        2,
        f"error: arxo.yaml is the configuration here; with --force {FILE} takes its place\n",
    )
    assert project.run("init", "--force").code == 0


def test_init_needs_one_folder(project: Project) -> None:
    assert project.run("init", "gone").err == "error: there is no folder gone\n"
    assert project.run("init", "app", "lib").err == "error: init writes one file: name one folder\n"
    assert project.run("init", "app").code == 0
    assert (project.root / "app" / FILE).is_file()


# --------------------------------------------------------------------------------------------------------------- rules
def test_rules_as_json_are_the_contracts(project: Project) -> None:
    rows = json.loads(project.run("rules", "--format", "json").out)
    assert [(row["key"], row["rule_id"], row["axis"]) for row in rows] == [
        (scalar.key, scalar.rule_id, scalar.axis) for scalar in contract().scalars
    ]
    for row in rows:
        assert row.keys() >= {"impact", "effort", "range", "recommendation", "title", "references"}
        assert row["range"] == [0, 1]
        assert row["recommendation"]


# ---------------------------------------------------------------------------------------------------------- completion
def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def completed(project: Project, *words: str) -> list[str]:
    """What bash proposes for the last of these words."""
    script = project.root / "completion.bash"
    script.write_text(project.run("completion", "bash").out)
    line = " ".join(f"'{word}'" for word in words)
    code = (
        f"source {script}\nCOMP_WORDS=({line})\nCOMP_CWORD={len(words) - 1}\n_agent_architecture\n"
        'for word in "${COMPREPLY[@]}"; do echo "$word"; done\ncomplete -p agent-architecture >&2\n'
    )
    done = subprocess.run(["bash", "-u", "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "complete -o default -F _agent_architecture agent-architecture\n"
    return done.stdout.split()


@needs("bash")
def test_bash_completes_commands_flags_values_and_rules(project: Project) -> None:
    program = "agent-architecture"
    assert set(completed(project, program, "")) == {*COMMANDS, "--help", "--version"}
    assert completed(project, program, "ana") == ["analyze"]
    assert completed(project, program, "analyze", "--min-") == ["--min-severity", "--min-confidence", "--min-risk"]
    assert completed(project, program, "analyze", "app", "--min-severity", "h") == ["high"]
    assert completed(project, program, "analyze", "--select", "loop_") == ["loop_guard_absence"]
    assert completed(project, program, "explain", "deadl") == ["deadlock_risk"]
    assert completed(project, program, "config", "") == ["validate", "show", "schema"]
    assert completed(project, program, "completion", "z") == ["zsh"]


@needs("bash")
def test_bash_completes_files_where_files_are_meant(project: Project) -> None:
    """Nothing of ours is proposed, so that `-o default` completes file names."""
    program = "agent-architecture"
    assert completed(project, program, "analyze", "ap") == []
    assert completed(project, program, "analyze", "--output", "re") == []


@needs("zsh")
def test_zsh_reads_the_script(project: Project) -> None:
    script = project.write("completion.zsh", project.run("completion", "zsh").out)
    code = f"autoload -U compinit && compinit -D && source {script} && print -r -- $_comps[agent-architecture]"
    done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True)
    assert "_agent_architecture" in done.stdout
    assert done.stderr == ""


@needs("fish")
def test_fish_completes_commands_flags_and_values(project: Project) -> None:
    script = project.write("completion.fish", project.run("completion", "fish").out)

    def proposed(line: str) -> set[str]:
        code = f"source {script}; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True)
        return {row.split("\t")[0] for row in done.stdout.splitlines()}

    assert proposed("agent-architecture ") >= set(COMMANDS)
    assert proposed("agent-architecture analyze --min-") == {"--min-severity", "--min-confidence"}
    assert proposed("agent-architecture analyze --min-severity h") == {"high"}
    assert proposed("agent-architecture explain deadl") >= {"deadlock_risk"}


def test_a_shell_that_is_not_known_is_refused(project: Project) -> None:
    said = project.run("completion", "cmd")
    assert (said.code, "invalid choice: 'cmd'" in said.err) == (2, True)


# ---------------------------------------------------------------------------------------------------------------- help
def examples() -> list[tuple[str, str]]:
    """Each example of each command's help, as it is typed: without what a shell does with it, and without remarks."""
    texts = [HELP, *(make().epilog or "" for make, _ in COMMANDS.values())]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    typed = [re.split(r"\s[|<>]\s|\s{2,}", line)[0] for line in lines if line.startswith(f"{PROGRAM} ")]
    return [(words[1], line) for line in typed if (words := line.split())[1] != "COMMAND"]


@pytest.mark.parametrize(("name", "line"), examples())
def test_every_example_of_the_help_is_understood(name: str, line: str) -> None:
    make, _ = COMMANDS[name]
    parse(make(), shlex.split(line)[2:])


def test_every_command_is_in_the_help_and_has_an_example_or_none_to_give() -> None:
    assert [name for name in COMMANDS if not re.search(rf"^  {name} ", HELP, re.MULTILINE)] == []
