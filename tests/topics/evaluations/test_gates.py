"""Which code fails where a grade is too low: exit codes, however they are chosen, and what only looks like a gate.

The forms of a refusal itself stand in `tests/one_refusal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.recursion import with_room
from agent_architecture.semantics.topics.evaluations.gates import has_gate

if TYPE_CHECKING:
    from pathlib import Path

PYTHON: Final = "import sys\nfrom agents import Agent, Runner\n\nclerk = Agent(name='clerk')\nscore = grade(clerk)\n"
TYPESCRIPT: Final = "import { Agent } from '@openai/agents';\n\nconst clerk = new Agent({ name: 'clerk' });\n"
GATES: Final = {
    "main.py": (
        "sys.exit(0 if score >= 0.8 else 1)",
        "sys.exit(score < 0.8)",
        "sys.exit(int(score < 0.8))",
        "score >= 0.8 or sys.exit(1)",
        "raise SystemExit(1 if score < 0.8 else 0)",
        "passed = score >= 0.8\nsys.exit(not passed)",
        "if score >= 0.8:\n    sys.exit(0)\nsys.exit(1)",
        "def main():\n    return 1 if score < 0.8 else 0\n\nif __name__ == '__main__':\n    sys.exit(main())",
        "def main():\n    return int(score < 0.8)\n\nif __name__ == '__main__':\n    raise SystemExit(main())",
    ),
    "main.ts": (
        "process.exit(score >= 0.8 ? 0 : 1);",
        "process.exitCode = score >= 0.8 ? 0 : 1;",
        "if (score < 0.8) process.exitCode = 1;",
        "score >= 0.8 || process.exit(1);",
        "const passed = score >= 0.8;\nprocess.exit(passed ? 0 : 1);",
        "function main() {\n  if (score < 0.8) return 1;\n  return 0;\n}\nprocess.exit(main());",
    ),
}
NONE: Final = {
    "main.py": (
        "if score < 0.8:\n    sys.exit(0)",
        "if score < 0.8:\n    raise SystemExit(0)",
        "sys.exit(0 if score >= 0.8 else 0)",
        "def main():\n    print(score)\n\nif __name__ == '__main__':\n    sys.exit(main())",
        "if score == 1:\n    print('all')\nif not clerk:\n    sys.exit(1)",
        "def grade(one):\n    if len(sys.argv) < 2:\n        raise ValueError\n    return 1\n\nbest = grade(clerk)",
    ),
    "main.ts": (
        "if (score < 0.8) process.exit(0);",
        "process.exit(score >= 0.8 ? 0 : 0);",
        "if (score === 1) console.log('all');\nif (!clerk) process.exit(1);",
        "function main() {\n  console.log(score);\n}\nif (require.main === module) process.exit(main());",
    ),
}
BEFORE: Final = {"main.py": PYTHON, "main.ts": TYPESCRIPT}


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in GATES.items() for code in codes])
def test_it_is_a_gate(name: str, code: str, tmp_path: Path) -> None:
    assert gates(name, code, tmp_path)


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, codes in NONE.items() for code in codes])
def test_it_is_no_gate(name: str, code: str, tmp_path: Path) -> None:
    assert not gates(name, code, tmp_path)


def gates(name: str, code: str, folder: Path) -> bool:
    (folder / name).write_text(f"{BEFORE[name]}{code}\n", encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    known, _ = pipeline.understand_with(walked, packs, versions, program)
    (module,) = program.modules
    return with_room(lambda: has_gate(known.context, module))
