"""Sizes, depth and bombs: time and memory are bounded, a notice tells what was left out, and the rest is judged."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from hostile_runs import HEALTHY, RULE, Ran, analyze, project

DEEP: Final = 100_000
LINE: Final = 1_900_000
"""Bytes of a line in a file that is just small enough to be read."""
IMPORT: Final = "from agents import Agent\n"
USE: Final = 'import { Agent } from "@openai/agents";\n'

NESTS: Final = {
    "parentheses.py": IMPORT + "x = " + "(" * DEEP + ")" * DEEP + "\n",
    "lists.py": IMPORT + "x = " + "[" * DEEP + "]" * DEEP + "\n",
    "open.py": IMPORT + "x = " + "{[(" * DEEP,
    "attributes.py": IMPORT + "x = a" + ".b" * DEEP + "\n",
    "calls.py": IMPORT + "x = a" + "()" * DEEP + "\n",
    "lambdas.py": IMPORT + "x = " + "lambda: " * DEEP + "1\n",
    "signs.py": IMPORT + "x = " + "-" * DEEP + "1\n",
    "nots.py": IMPORT + "x = " + "not " * DEEP + "1\n",
    "sums.py": IMPORT + "x = 1" + " + 1" * DEEP + "\n",
    "choices.py": IMPORT + "x = " + "1 if y else " * DEEP + "2\n",
    "blocks.py": IMPORT + "".join(" " * level + "if x:\n" for level in range(1800)) + " " * 1800 + "pass\n",
    "elifs.py": IMPORT + "if x:\n    pass\n" + "elif x:\n    pass\n" * (DEEP // 2),
    "texts.py": IMPORT + 'x = f"' + "{f'" * 1000 + "'}" * 1000 + '"\n',
    "decorators.py": IMPORT + "@d\n" * DEEP + "def f(): ...\n",
    "parentheses.ts": USE + "const x = " + "(" * DEEP + ")" * DEEP + ";\n",
    "arrays.ts": USE + "const x = " + "[" * DEEP + "]" * DEEP + ";\n",
    "objects.ts": USE + "const x = " + "{a:" * DEEP + "1" + "}" * DEEP + ";\n",
    "templates.ts": USE + "const x = " + "`${" * DEEP + "1" + "}`" * DEEP + ";\n",
    "choices.ts": USE + "const x = " + "y ? 1 : " * DEEP + "2;\n",
    "blocks.ts": USE + "{" * DEEP + "}" * DEEP + "\n",
    "elements.tsx": USE + "const x = " + "<a>" * DEEP + "</a>" * DEEP + ";\n",
    ".mcp.json": '{"mcpServers":' * DEEP + "1" + "}" * DEEP,
    "notebook.ipynb": '{"cells":[' * DEEP,
    "pyproject.toml": "x = " + "[" * DEEP + "]" * DEEP + "\n",
    "brackets.md": "[" * DEEP + "](" * DEEP,
}
"""Files by what is nested in them."""
SLOW: Final = {
    "spaces.md": "agent" + " " * 900_000 + "x\n" + "\n" * 500_000,
    "marks.md": "*_`" * 300_000,
    "CLAUDE.md": "[" * 200_000 + "!" * 200_000 + "<!--" * 100_000,
    "letters.py": IMPORT + 'x = """' + "a" * 900_000 + "!" * 900_000 + '"""\n',
    "address.py": IMPORT + 'x = "' + "http://" * 200_000 + '"\n',
    "versions.txt": "==" * 900_000,
    "requirements.txt": "a" * 900_000 + "==" + "1." * 200_000 + "\n" + "a;" * 100_000 + "\n",
    "package.json": '{"dependencies": {"a": "' + ">=1 <2 || " * 50_000 + '", "b": "' + "1.x." * 100_000 + '"}}',
    ".gitignore": "**/" * 300 + "a\n" + "*a" * 100 + "*b\n" + "[" * 1000 + "\n",
    ".env": "A=" + "$" * 900_000 + "\n" + "A" * 900_000 + "\n",
    "Dockerfile": "FROM " + "a:" * 400_000 + "\nRUN " + "a && " * 200_000 + "\n",
    "script.sh": "#!/bin/sh\n" + "pip install " * 100_000 + "\n" + "\\\n" * 300_000,
    "key.py": IMPORT + 'KEY = "sk-' + "a-" * 500_000 + '"\n',
    "prompt.py": IMPORT + 'A = Agent(name="a", instructions="' + "{{" * 300_000 + "ignore previous " * 30_000 + '")\n',
}  # fmt: skip
"""Texts at which a pattern that tries all ways would take for ever."""


def is_judged(ran: Ran) -> bool:
    """Whether the healthy file's gap is reported, and nothing failed."""
    findings = ran.document["results"][0]["findings"]
    here = any(f["rule_id"] == RULE and f["path"] == HEALTHY for f in findings)
    return here and not ran.document["project"]["failed_detectors"] and "internal error" not in ran.said


@pytest.mark.parametrize("files", [NESTS, SLOW], ids=["nests", "slow patterns"])
def test_time_and_memory_are_bounded_and_the_rest_is_judged(files: dict[str, str], tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert is_judged(analyze(".", "--format", "json", at=folder))


def too_large(ran: Ran) -> list[str]:
    """The files that were left unread for their size."""
    return [n["path"] for n in ran.document["project"]["notices"] if "more than the limit" in n["message"]]


def test_long_lines_are_read_or_a_notice(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "list.py").write_text(IMPORT + "x = [" + "1," * (LINE // 2) + "]\n", encoding="utf-8")
    (folder / "text.ts").write_text(USE + 'const x = "' + "é" * (LINE // 2) + '";\n', encoding="utf-8")
    (folder / "min.js").write_text("var a=1;" * (LINE // 8) + "\n", encoding="utf-8")
    (folder / "twenty.py").write_bytes(b"x = '" + b"a" * 20_000_000 + b"'\n")
    ran = analyze(".", "--format", "json", at=folder)
    assert is_judged(ran)
    assert too_large(ran) == ["twenty.py"]


def test_files_of_a_hundred_megabytes_are_notices(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    names = ["agent.ipynb", "agent.py", "agent.ts", "package-lock.json", "uv.lock"]
    for name in names:
        (folder / name).write_bytes(b"")
        os.truncate(folder / name, 100_000_000)
    ran = analyze(".", "--format", "json", at=folder)
    assert is_judged(ran)
    assert too_large(ran) == names


def test_a_thousand_agents_in_a_file_are_judged(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "many.py").write_text(
        IMPORT + "".join(f'a{n} = Agent(name="a{n}", handoffs=[a{n - 1}])\n' for n in range(1, 1000)), encoding="utf-8"
    )
    assert is_judged(analyze(".", "--format", "json", at=folder))
