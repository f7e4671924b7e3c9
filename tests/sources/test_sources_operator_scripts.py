"""Scripts that somebody starts by hand beside the application are no part of it."""

from pathlib import Path

import pytest

from agent_architecture.config import Config
from agent_architecture.pipeline import read_sources
from agent_architecture.sources.source import Role

SCRIPT = "import client\n\nfor question in client.questions():\n    client.ask(question)\n"
SERVER = "from mcp.server.fastmcp import FastMCP\n\nserver = FastMCP('desk')\nserver.run()\n"
APP = "from agents import Agent\n\nagent = Agent(name='desk')\n"


@pytest.mark.parametrize(
    ("path", "text", "others", "role"),
    [
        ("scripts/seed.py", SCRIPT, {"app.py": APP}, Role.EXAMPLE),
        ("backend/scripts/pipeline/seed.py", SCRIPT, {"app.py": APP}, Role.EXAMPLE),
        ("data/export.py", SCRIPT, {"app.py": APP}, Role.EXAMPLE),
        ("app/data/export.py", SCRIPT, {"app.py": APP}, Role.APP),
        ("scripts/server.py", SERVER, {"app.py": APP}, Role.APP),
        ("scripts/seed.py", SCRIPT, {"app.py": "from scripts.seed import ask\n"}, Role.APP),
        ("scripts/seed.py", SCRIPT, {"app.py": "from scripts import other, seed\n"}, Role.APP),
        ("scripts/seed.ts", SCRIPT, {"app.ts": 'import { ask } from "../scripts/seed";\n'}, Role.APP),
        ("scripts/seed.py", SCRIPT, {"Dockerfile": 'CMD ["python", "-m", "scripts.seed"]\n'}, Role.APP),
        ("scripts/seed.py", SCRIPT, {"README.md": "Run `python scripts/seed.py`.\n"}, Role.EXAMPLE),
        ("scripts/seed.py", SCRIPT, {"refresh.sh": "python scripts/seed.py\n"}, Role.EXAMPLE),
        (
            "scripts/seed.py",
            SCRIPT,
            {"start.sh": "python scripts/seed.py\n", "Dockerfile": "CMD ./start.sh\n"},
            Role.APP,
        ),
        ("scripts/seed.js", SCRIPT, {"package.json": '{"scripts": {"seed": "node scripts/seed.js"}}'}, Role.EXAMPLE),
        ("scripts/seed.js", SCRIPT, {"package.json": '{"scripts": {"start": "node scripts/seed.js"}}'}, Role.APP),
        ("server/test_mcp.js", SCRIPT, {"server/app.js": APP}, Role.EXAMPLE),
        ("test-listeners.mjs", SCRIPT, {"app.js": APP}, Role.EXAMPLE),
        ("test_mcp.js", SCRIPT, {"package.json": '{"scripts": {"test": "node test_mcp.js"}}'}, Role.EXAMPLE),
        ("test_mcp.js", SCRIPT, {"package.json": '{"scripts": {"start": "node test_mcp.js"}}'}, Role.APP),
        ("test-runner.js", SCRIPT, {"app.js": 'const runner = require("./test-runner");\n'}, Role.APP),
        ("src/tools/test-runner.ts", SCRIPT, {"src/app.ts": APP}, Role.APP),
        ("test_server.js", "const app = express();\napp.listen(3000);\n", {"app.js": APP}, Role.APP),
        ("scripts/part.py", SCRIPT, {"scripts/run.py": "import part\n", "app.py": "import scripts.run\n"}, Role.APP),
    ],
)
def test_a_script_that_nothing_of_the_application_names(
    tmp_path: Path, path: str, text: str, others: dict[str, str], role: Role
) -> None:
    for name, content in {path: text, **others}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    walked = read_sources([tmp_path], Config())
    assert {file.path: file.role for file in walked.files}[path] is role
