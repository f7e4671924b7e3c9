"""What leads back to itself ends, and the rest is judged: imports, configurations, bases, values, aliases, re-exports."""

# ruff: noqa: E501 - small programs on one line each
from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hostile_runs import is_intact, outcome_of, project

PY: Final = "from agents import Agent, Runner\n"
TS: Final = 'import { Agent, run } from "@openai/agents";\n'
CYCLES: Final[dict[str, dict[str, str]]] = {
    "imports in Python": {
        "a.py": PY + "from b import *\nfrom b import tool\nimport a\nagent = Agent(name='a', tools=[tool])\n",
        "b.py": PY + "from c import *\nfrom a import agent as tool\n",
        "c.py": PY + "from a import *\nfrom b import tool\nfrom c import tool\nRunner.run_sync(tool, 'x')\n",
        "pkg/__init__.py": PY + "from . import x\nfrom .x import y\nfrom pkg import *\n",
        "pkg/x.py": PY + "from . import y\nfrom pkg.x import y\ny = y\n",
    },
    "imports in TypeScript": {
        "a.ts": TS + 'export * from "./b";\nimport { tool } from "./b";\nexport const agent = new Agent({ name: "a", tools: [tool] });\n',
        "b.ts": TS + 'export * from "./a";\nexport { agent as tool } from "./a";\nexport * as self from "./b";\n',
        "index.ts": TS + 'export * from ".";\nexport { default } from "./index";\nexport * from "./a";\n',
        "c.js": 'module.exports = { ...require("./c"), ...require("./d") };\n',
        "d.js": 'const { run } = require("@openai/agents");\nmodule.exports = require("./c");\n',
    },
    "extends of tsconfig": {
        "tsconfig.json": '{"extends": "./tsconfig.json"}',
        "x/tsconfig.json": '{"extends": ["../y/tsconfig.json", "./tsconfig"], "compilerOptions": {"paths": {"@/*": ["@/*", "./*"]}}}',
        "y/tsconfig.json": '{"extends": "../x/tsconfig.json", "references": [{"path": "../y"}]}',
        "x/a.ts": TS + 'import { agent } from "@/b";\nimport { other } from "@/@/b";\nawait run(agent, other);\n',
        "y/b.ts": TS + 'export { agent } from "@/a";\n',
    },
    "bases": {
        "a.py": PY + "class A(B): ...\nclass B(C): ...\nclass C(A): ...\nclass D(D): ...\nclass E(Agent, E, A): ...\n"
        "Runner.run_sync(E(name='e'), A().run(C().x, D))\n",
        "a.ts": TS + "class A extends B {}\nclass B extends A {}\nclass C extends C {}\ninterface I extends I {}\ntype T = T | T[];\n"
        "const x: T = new A();\nawait run(new C() as I as Agent, x);\n",
    },
    "values": {
        "a.py": PY + "x = x\na, b = b, a\nf = lambda: f()\nd = {'d': d, **d}\nl = [l, *l]\nt = f'{t}{t}'\n"
        "def g(n=g): return g(g)\ng = g(g)\nclass K:\n    k = K()\n    def __init__(self): self.s = self\n"
        "agent = Agent(name=t, tools=[l, d, g, agent], handoffs=[agent], **d)\nRunner.run_sync(agent, t, max_turns=x)\n",
        "a.ts": TS + "const x = x;\nconst o = { ...o, o };\nconst a = [...a, a];\nconst f = () => f;\nlet s = `${s}${s}`;\n"
        "const agent = new Agent({ name: s, tools: [a, o, f], handoffs: [agent], ...o });\nawait run(agent, s, { maxTurns: x });\n",
    },
    "documents": {
        "a.yaml": "agents: &a\n  tools: *a\n  <<: *a\nb: &b [*b, *b]\n",
        "docker-compose.yml": "x-a: &a\n  <<: *a\nservices:\n  s:\n    extends: {file: docker-compose.yml, service: s}\n    <<: *a\n",
        "requirements.txt": "-r requirements.txt\n-c requirements.txt\n-r ./other/requirements.txt\nopenai-agents\n",
        "other/requirements.txt": "-r ../requirements.txt\n",
        "package.json": '{"name": "p", "workspaces": [".", "..", "*"], "dependencies": {"p": "file:."}, "scripts": {"a": "npm run a", "b": "npm run c", "c": "npm run b"}}',
        "pyproject.toml": '[project]\nname = "p"\ndependencies = ["p"]\n[project.optional-dependencies]\nall = ["p[all]"]\n[tool.uv.workspace]\nmembers = ["."]\n[dependency-groups]\na = [{include-group = "a"}]\n',
        "Makefile": "a: a\n\tmake a\nb: c\n\t$(MAKE) c\nc: b\n\t$(MAKE) b\nX = $(X)\n",
        "run.sh": "#!/bin/sh\n. ./run.sh\nsh run.sh\n",
        "agents.yaml": "root:\n  sub_agents:\n    - config_path: agents.yaml\nagent_class: LlmAgent\nname: a\nsub_agents:\n  - config_path: agents.yaml\n",
        ".github/workflows/a.yml": "on: workflow_call\njobs:\n  a:\n    uses: ./.github/workflows/a.yml\n    needs: a\n",
    },
    "agents and tools": {
        "a.py": PY + "from agents import function_tool\n\n\n@function_tool\ndef t(x: str) -> str:\n    return Runner.run_sync(a, t(x)).final_output\n\n\n"
        "a = Agent(name='a', tools=[t])\nb = Agent(name='b', handoffs=[a], tools=[a.as_tool(), b.as_tool()])\na.handoffs = [b, a]\nRunner.run_sync(a, t('x'))\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", CYCLES)
def test_what_leads_back_to_itself_ends(kind: str, tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    for name, text in CYCLES[kind].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert is_intact(outcome_of(folder))


def test_ten_thousand_re_exports_end(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "end.ts").write_text(TS + 'export const agent = new Agent({ name: "end" });\n', encoding="utf-8")
    barrel = "".join(f'export {{ agent as a{n} }} from "./end";\n' for n in range(10_000))
    (folder / "barrel.ts").write_text(barrel, encoding="utf-8")
    (folder / "use.ts").write_text(TS + 'import { a9999 } from "./barrel";\nawait run(a9999, "x");\n', encoding="utf-8")
    for number in range(500):
        (folder / f"m{number}.py").write_text(PY + f"from m{number + 1} import *\n", encoding="utf-8")
        (folder / f"m{number}.ts").write_text(TS + f'export * from "./m{number + 1}";\n', encoding="utf-8")
    (folder / "m500.py").write_text(PY + "agent = Agent(name='deep')\n", encoding="utf-8")
    (folder / "m500.ts").write_text('export { agent } from "./end";\n', encoding="utf-8")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert {"end.ts", "m500.py"} <= {agent.span.path for agent in outcome.report.project.agents}
