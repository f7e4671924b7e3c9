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
    "arrows.ts": USE + "const x = " + "() => " * DEEP + "1;\n",
    "closures.ts": 'import { tool } from "@openai/agents";\nimport { Sandbox } from "@e2b/code-interpreter";\n'
    'export const t = tool({ name: "t", execute: async (asked: { code: string }) => '
    "[(await Sandbox.create()).runCode(asked.code), " + "x => " * DEEP + "1] });\n",
    "templates.ts": USE + "const x = " + "`${" * DEEP + "1" + "}`" * DEEP + ";\n",
    "choices.ts": USE + "const x = " + "y ? 1 : " * DEEP + "2;\n",
    "chains.ts": USE + "const x = a" + "?.b()" * DEEP + ";\n",
    "types.ts": USE + "type X = " + "A<" * DEEP + "1" + ">" * DEEP + ";\n",
    "blocks.ts": USE + "{" * DEEP + "}" * DEEP + "\n",
    "elements.tsx": USE + "const x = " + "<a>" * DEEP + "</a>" * DEEP + ";\n",
    "open.tsx": USE + "const x = " + "<a b={" * DEEP,
    "nested.json": "[" * DEEP + "]" * DEEP,
    ".mcp.json": '{"mcpServers":' * DEEP + "1" + "}" * DEEP,
    "package.json": '{"dependencies":' * DEEP + "1" + "}" * DEEP,
    "package-lock.json": '{"packages":' * DEEP + "1" + "}" * DEEP,
    "tsconfig.json": '{"extends":' * DEEP + "1" + "}" * DEEP,
    "notebook.ipynb": '{"cells":[' * DEEP,
    "flow.yaml": "agent: " + "[" * DEEP + "]" * DEEP + "\n",
    "maps.yaml": "agent: " + "{a: " * DEEP + "1" + "}" * DEEP + "\n",
    "dashes.yaml": "- " * DEEP + "1\n",
    "pyproject.toml": "x = " + "[" * DEEP + "]" * DEEP + "\n",
    "uv.lock": "[" + "a." * DEEP + "a]\nx = 1\n",
    "tables.toml": "x = " + "{a = " * DEEP + "1" + "}" * DEEP + "\n",
    "quotes.md": ">" * DEEP + " agent\n",
    "brackets.md": "[" * DEEP + "](" * DEEP,
    "Dockerfile": "FROM a\n" + "RUN a \\\n" * DEEP,
    "requirements.txt": "a[" * DEEP + "\n",
}
"""Files by what is nested in them."""
ALIASES: Final = 'a: &a ["x","x","x","x","x","x","x","x","x"]\n' + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)
)
BOMBS: Final = {
    "laughs.yaml": ALIASES,
    ".mcp.json": '{"mcpServers": {' + ",".join(f'"s{n}": {{"command": "x"}}' for n in range(20_000)) + "}}",
    "docker-compose.yml": "x: &x\n  <<: *x\nservices: *x\n" + ALIASES,
    "merges.yaml": "a: &a {x: 1}\n" + "".join(f"b{n}: &b{n}\n  <<: [*a, *a]\n" for n in range(5000)),
    "pyproject.toml": "\n".join(f"[a{n}.b.c.d.e.f]\nx = 1" for n in range(5000)),
    "digits.json": "[" + "9" * 1_000_000 + "]",
    "digits.py": IMPORT + "x = " + "9" * 1_000_000 + "\ny = 2 ** 10 ** 10 ** 10\nz = 'a' * 10 ** 12\n",
    "digits.ts": USE + "const x = " + "9" * 1_000_000 + ';\nconst y = "a".repeat(1e12);\n',
    "digits.toml": "x = " + "9" * 5000 + "\n",
    "package.json": '{"version": ' + "9" * 5000 + "}",
    "places.py": IMPORT + 'x = "{' + "9" * 5000 + '} {²} {0[²]}".format(1)\nSYSTEM = "%s" % x\nAgent(name=x)\n',
    "keys.py": IMPORT
    + 'answer = Agent()\ntable = [answer]\ntable["²"] = answer\neval(table["²"])\neval(table["'
    + "9" * 5000
    + '"])\n',
    "keys.ts": USE
    + 'const t: any = [Agent()];\nconst { "²": a, "'
    + "9" * 5000
    + '": b } = t;\neval(a); eval(b); eval(t["²"]);\n',
    "Makefile": "eval:\n\tpytest evals --count " + "9" * 5000 + " --count ²\n",
    "escapes.json": '"' + "\\u0000" * 300_000 + '"',
    "names.py": IMPORT + "".join(f"x{n} = x{n - 1} + x{n - 1}\n" for n in range(1, 20_000)),
    "strings.py": IMPORT + "s0 = 'ha'\n" + "".join(f"s{n} = s{n - 1} + s{n - 1}\n" for n in range(1, 200)),
    "strings.ts": USE + "const s0 = 'ha';\n" + "".join(f"const s{n} = s{n - 1} + s{n - 1};\n" for n in range(1, 200)),
    "chain.py": IMPORT + "x = Agent" + ".a" * DEEP + '\nprint(f"{x.' + "b." * DEEP + 'c}")\n',
    "broken.py": IMPORT
    + 'a = Agent\nwhile True:\n    if/* x:\n        t = f"{a'
    + ".a" * 20_000
    + "\nx = a"
    + ".a" * 20_000,
    "chain.ts": USE + "const x = Agent" + ".a" * DEEP + ";\n",
    "asked.py": IMPORT + "Agent.a\n" * 50_000,
}
"""Small files that mean much."""
SLOW: Final = {
    "spaces.md": "agent" + " " * 900_000 + "x\n" + "\n" * 500_000,
    "marks.md": "*_`" * 300_000,
    "CLAUDE.md": "[" * 200_000 + "!" * 200_000 + "<!--" * 100_000,
    "letters.py": IMPORT + 'x = """' + "a" * 900_000 + "!" * 900_000 + '"""\n',
    "address.py": IMPORT + 'x = "' + "http://" * 200_000 + '"\n',
    "routes.py": IMPORT
    + "import os\nfrom fastapi import FastAPI\nfrom agents import Runner\n"
    + "app = FastAPI()\nKEY = os.environ['OPENAI_API_KEY']\n"
    + '@app.post("/run")\ndef run(q: str):\n    return Runner.run_sync(Agent(name="a"), q, max_turns=3)\nX = """'
    + "401\n" * 100_000
    + "jwt 5 steps " * 50_000
    + '"""\n',
    "cells.ipynb": '{"cells": [{"cell_type": "code", "source": ["x = 1\\n", "' + " " * 900_000 + 'b\\n"]}]}',
    ".claude/agents/helper.md": "---\n" + "\n" * 900_000 + "- x\n---\nHelp.\n",
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


CODE: Final = frozenset({".py", ".ts", ".tsx"})
KINDS: Final = {
    "nested code": {name: text for name, text in NESTS.items() if Path(name).suffix in CODE},
    "nested documents": {name: text for name, text in NESTS.items() if Path(name).suffix not in CODE},
    "bombs": BOMBS,
    "slow patterns": SLOW,
}


@pytest.mark.parametrize("files", KINDS.values(), ids=KINDS)
def test_time_and_memory_are_bounded_and_the_rest_is_judged(files: dict[str, str], tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert is_judged(analyze(".", "--format", "json", at=folder))


def test_a_broken_configuration_of_spaces_is_an_error(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "agent-architecture.yaml").write_text("gates:\n  - {a: 1\n" + " " * 900_000 + "op: <\n", encoding="utf-8")
    ran = analyze(".", at=folder, code=2)
    assert "agent-architecture.yaml:3: YAML: " in ran.said
    assert "an operator needs quotes" in ran.said


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
