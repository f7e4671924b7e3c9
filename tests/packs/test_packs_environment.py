"""Variables of the environment that packs speak of, wherever a project sets them itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.errors import PackError
from agent_architecture.model.settings import Origin
from agent_architecture.names.exports import Exports
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.semantics.manifests.versions import Versions
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.matching.environment import Assigned, assigned
from agent_architecture.semantics.packs.library import PackLibrary
from agent_architecture.semantics.packs.packs import Packs
from agent_architecture.semantics.packs.rows_from_toml import read_pack
from agent_architecture.syntax.parse import parse

SHOP: dict[str, object] = {
    "framework": {"id": "shop"},
    "package": [{"pypi": "shop", "verified": "1"}],
    "environment": [
        {
            "kind": "tracer",
            "variable": ["SHOP_{TRACING,TRACING_V2}"],
            "sets": "enabled",
            "values": {"enabled": {"true": True, "false": False}},
            "constant": {"scope": "opened"},
        },
        {
            "kind": "tracer",
            "attribute": "py:shop:callbacks",
            "sets": "enabled",
            "values": {"enabled": {"none": False}},
        },
        {"kind": "tracer", "command": "shop-trace", "sets": "enabled", "constant": {"scope": "opened"}},
    ],
}


def found(folder: Path, files: dict[str, str]) -> list[str]:
    packs = Packs([read_pack("shop.toml", SHOP)])
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    table = ModuleTable(pipeline.read_sources([folder], Config()).files, parse)
    for source in table.files():
        table.get(source.path)
    program = Program(table, Exports(Specifiers(table)), PackLibrary(packs))
    context = Context(program, packs, Versions((), (), (), {}, {}), ())
    return [line(one) for one in assigned(context)]


def line(one: Assigned) -> str:
    value = "unknown" if one.setting.origin is Origin.UNKNOWN else str(one.setting.values[0])
    return f"{one.path}:{one.span.line} {one.variable} {one.row.sets}={value}"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".env", "# SHOP_TRACING=false\nexport SHOP_TRACING=true\n", ".env:2 SHOP_TRACING enabled=True"),
        (".env.example", "SHOP_TRACING_V2=False\n", ".env.example:1 SHOP_TRACING_V2 enabled=False"),
        ("Dockerfile", "FROM x\nENV A=b SHOP_TRACING=true\n", "Dockerfile:2 SHOP_TRACING enabled=True"),
        (
            "docker-compose.yml",
            "services:\n  web:\n    environment:\n      SHOP_TRACING: 'true'\n",
            "docker-compose.yml:4 SHOP_TRACING enabled=True",
        ),
        (
            "compose.yaml",
            "services:\n  web:\n    environment:\n      - SHOP_TRACING=true\n",
            "compose.yaml:4 SHOP_TRACING enabled=True",
        ),
        (
            "deploy/web.yaml",
            "containers:\n    - name: web\n      env:\n        - name: SHOP_TRACING\n          value: 'true'\n",
            "deploy/web.yaml:5 SHOP_TRACING enabled=True",
        ),
        (
            "app.py",
            "import os\n\nON = 'true'\n\n\ndef main():\n    os.environ['SHOP_TRACING'] = ON\n",
            "app.py:7 SHOP_TRACING enabled=True",
        ),
        (
            "app.py",
            "import os\n\nos.environ.setdefault('SHOP_TRACING', 'true')\n",
            "app.py:3 SHOP_TRACING enabled=True",
        ),
        ("app.ts", 'process.env.SHOP_TRACING = "true";\n', "app.ts:1 SHOP_TRACING enabled=True"),
        ("app.ts", 'process.env["SHOP_TRACING"] = "true";\n', "app.ts:1 SHOP_TRACING enabled=True"),
        ("Dockerfile", 'FROM x\nCMD ["shop-trace", "python", "app.py"]\n', "Dockerfile:2 shop-trace enabled=True"),
        ("package.json", '{"scripts": {"start": "shop-trace node ."}}\n', "package.json:1 shop-trace enabled=True"),
        ("start.sh", "#!/bin/sh\nexec shop-trace python app.py\n", "start.sh:2 shop-trace enabled=True"),
        ("Procfile", "web: SHOP_TRACING=true python app.py\n", "Procfile:1 SHOP_TRACING enabled=True"),
        ("Procfile", "web: shop-trace python app.py\n", "Procfile:1 shop-trace enabled=True"),
        ("start.sh", '#!/bin/sh\nexport SHOP_TRACING="true"\n', "start.sh:2 SHOP_TRACING enabled=True"),
        (
            "package.json",
            '{"scripts": {"start": "cross-env SHOP_TRACING=true node ."}}\n',
            "package.json:1 SHOP_TRACING enabled=True",
        ),
        ("fly.toml", '[env]\nSHOP_TRACING = "true"\n', "fly.toml:2 SHOP_TRACING enabled=True"),
        (
            "render.yaml",
            "services:\n  - type: web\n    envVars:\n      - key: SHOP_TRACING\n        value: true\n",
            "render.yaml:5 SHOP_TRACING enabled=True",
        ),
        ("vercel.json", '{"env": {"SHOP_TRACING": "true"}}\n', "vercel.json:1 SHOP_TRACING enabled=True"),
        (
            "app.yaml",
            "runtime: python312\nenv_variables:\n  SHOP_TRACING: 'true'\n",
            "app.yaml:3 SHOP_TRACING enabled=True",
        ),
        (
            ".do/app.yaml",
            "services:\n  - name: web\n    envs:\n      - key: SHOP_TRACING\n        value: 'true'\n",
            ".do/app.yaml:5 SHOP_TRACING enabled=True",
        ),
        (
            "template.yaml",
            "Globals:\n  Function:\n    Environment:\n      Variables:\n        SHOP_TRACING: 'true'\n",
            "template.yaml:5 SHOP_TRACING enabled=True",
        ),
        (
            "app.json",
            '{"env": {"SHOP_TRACING": {"description": "Traces.", "value": "true"}}}\n',
            "app.json:1 SHOP_TRACING enabled=True",
        ),
        (
            "deploy/config.yaml",
            "kind: ConfigMap\ndata:\n  SHOP_TRACING: 'true'\n",
            "deploy/config.yaml:3 SHOP_TRACING enabled=True",
        ),
        ("app.py", "import shop\n\nshop.callbacks = ['watch']\n", "app.py:3 py:shop.callbacks enabled=True"),
        ("app.py", "import shop\n\nshop.callbacks = []\n", "app.py:3 py:shop.callbacks enabled=False"),
        (
            "app.py",
            "import os\n\nos.environ['SHOP_TRACING'] = os.environ['OTHER']\n",
            "app.py:3 SHOP_TRACING enabled=unknown",
        ),
    ],
)
def test_a_variable_is_found_wherever_the_project_sets_it(tmp_path: Path, path: str, text: str, expected: str) -> None:
    assert found(tmp_path, {path: text}) == [expected]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".env", "SHOP_TRACING=maybe\n"),
        (".env", "MY_SHOP_TRACING=true\n"),
        (".github/workflows/ci.yml", "jobs:\n  test:\n    env:\n      SHOP_TRACING: 'true'\n"),
        ("app.py", "import os\n\nif os.environ['SHOP_TRACING'] == 'true':\n    print('on')\n"),
        ("tests/test_app.py", "import os\n\nos.environ['SHOP_TRACING'] = 'true'\n"),
        ("notes.yaml", "SHOP_TRACING: 'true'\n"),
        ("package.json", '{"scripts": {"test": "SHOP_TRACING=true jest", "x:e2e": "SHOP_TRACING=true x"}}\n'),
        ("scripts/run-tests.sh", "export SHOP_TRACING=true\npytest\n"),
        ("Makefile", "test:\n\tSHOP_TRACING=true pytest\n"),
        ("notes.yaml", "kind: Note\ndata:\n  SHOP_TRACING: 'true'\n"),
        ("Procfile", "web: python app.py # $SHOP_TRACING\n"),
        ("start.sh", '# SHOP_TRACING=true\nif [ "$SHOP_TRACING" = true ]; then MY_SHOP_TRACING=true; fi\n'),
        ("start.sh", "echo ${SHOP_TRACING=true} $SHOP_TRACING=true\n"),
        ("Dockerfile", "FROM x\n# CMD shop-trace python app.py\nRUN pip install shop-trace-more\n"),
        ("README.md", "Run `shop-trace python app.py`.\n"),
        ("package.json", '{"dependencies": {"@x/shop-trace": "1"}}\n'),
    ],
)
def test_what_does_not_set_it_for_the_application_says_nothing(tmp_path: Path, path: str, text: str) -> None:
    assert found(tmp_path, {path: text}) == []


def test_a_row_says_what_its_variable_sets() -> None:
    row = {"kind": "tracer", "variable": "X", "sets": "colour"}
    with pytest.raises(PackError, match="environment row 1"):
        read_pack("shop.toml", {**SHOP, "environment": [row]})
    with pytest.raises(PackError, match="one of variable, command and attribute"):
        read_pack("shop.toml", {**SHOP, "environment": [{"kind": "tracer", "sets": "enabled"}]})
