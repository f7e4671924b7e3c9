"""What the command may do: read below the project, keep its cache, write what it was told. The interpreter tells of all
else (`sys.addaudithook`), and ends the run: imports and code of the project, programs, sockets, writes elsewhere.
"""

# ruff: noqa: E501 - small programs and documents on one line each
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hostile_runs import PATIENCE, SOURCES, project

WATCH: Final = """
import os, sys

PROJECT, *WRITABLE = os.environ["WATCHED"].split(os.pathsep)
ENDING = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "os.fork", "pty.",
          "ctypes.dlopen", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.", "ensurepip.", "os.kill", "code.__new__")
CHANGING = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate",
            "os.utime", "shutil.rmtree", "shutil.copyfile", "shutil.move", "os.setxattr"}


def inside(path, folder):
    path = os.path.realpath(os.fsdecode(path))
    return path == folder or path.startswith(folder + os.sep)


def end(event, arguments):
    os.write(2, f"FORBIDDEN {event} {arguments!r}\\n"[:600].encode("utf-8", "replace"))
    os._exit(97)


def look(event, arguments):
    if event.startswith(ENDING) and event != "code.__new__":
        end(event, arguments)
    elif event == "exec" and not arguments[0].co_filename.startswith("<") and inside(arguments[0].co_filename, PROJECT):
        end(event, arguments)
    elif event == "import" and arguments[1] and inside(arguments[1], PROJECT):
        end(event, arguments[:2])
    elif event in CHANGING:
        paths = [one for one in arguments if isinstance(one, (str, bytes))]
        if not all(any(inside(path, folder) for folder in WRITABLE) for path in paths):
            end(event, arguments)
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        path, mode, flags = arguments
        writes = set(mode or "") & set("wxa+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if writes and os.fsdecode(path) != os.devnull and not any(inside(path, folder) for folder in WRITABLE):
            end(event, arguments)


sys.addaudithook(look)
"""
BAIT: Final = "raise SystemExit('the project was run')\n"
BAITS: Final = (
    "sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py", "json.py", "yaml.py", "tomllib.py", "pathlib.py",
    "agents.py", "agent_architecture.py", "tree_sitter/__init__.py", "agent_architecture/__init__.py", "pathspec.py",
    "noxfile.py", "__main__.py", "manage.py",
)  # fmt: skip
DATA: Final = {
    "package.json": '{"scripts": {"preinstall": "touch /tmp/ran", "postinstall": "touch /tmp/ran"}, "dependencies": {"openai": "*"}}',
    "pyproject.toml": "[build-system]\nrequires = ['evil']\nbuild-backend = 'evil'\nbackend-path = ['.']\n",
    "requirements.txt": "-e .\nopenai @ https://example.invalid/openai.whl\n--index-url https://example.invalid\n",
    ".npmrc": "registry=https://example.invalid\n",
    ".mcp.json": '{"mcpServers": {"x": {"command": "touch", "args": ["/tmp/ran"]}, "y": {"url": "https://example.invalid/mcp"}}}',
    "tsconfig.json": '{"extends": "https://example.invalid/tsconfig.json", "compilerOptions": {"plugins": [{"name": "./evil"}]}}',
    "pickled.pkl": "cos\nsystem\n(S'touch /tmp/ran'\ntR.",
    "x.yaml": "agent: !!python/object/apply:os.system ['touch /tmp/ran']\n",
    "ref.yaml": "$ref: https://example.invalid/x.yaml\nagents: !include https://example.invalid/y.yaml\n",
    "x.pth": "import os; os.system('touch /tmp/ran')\n",
    ".env": "PYTHONSTARTUP=./setup.py\nPYTHONPATH=.\n",
    ".git/config": "[core]\n\tfsmonitor = touch /tmp/ran\n\tpager = touch /tmp/ran\n",
    ".git/HEAD": "ref: refs/heads/main\n",
}  # fmt: skip
COMMANDS: Final = (
    ("analyze", "."), ("analyze", ".", "--verbose", "--subjects", "--include-tests", "--include-examples"),
    ("analyze", ".", "--output", "{out}/a.sarif", "--output", "{out}/a.html", "--output", "{out}/a.json"),
    ("graph", "."), ("explain", "loop_guard_absence"), ("rules",),
)  # fmt: skip


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that acts when anything of it is imported, run, loaded or asked for."""
    folder = project(tmp_path_factory.mktemp("bait") / "project")
    for name in BAITS:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(BAIT + (folder / "healthy.py").read_text(encoding="utf-8"), encoding="utf-8")
    for name, text in DATA.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def watched(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A run of the command in a folder, under watch, as the installed command is started: without the folder in its path."""
    top = folder.parent
    for name in ("out", "cache", "home"):
        (top / name).mkdir(exist_ok=True)
    start = f"{WATCH}\nfrom agent_architecture.cli import main\nsys.exit(main({list(arguments)!r}))\n"
    writable = [str(top / name) for name in ("out", "cache")]
    return subprocess.run(
        [sys.executable, "-P", "-B", "-c", start],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(top / "home"),
            "XDG_CACHE_HOME": str(top / "cache"),
            "PYTHONPATH": SOURCES,
            "WATCHED": os.pathsep.join([os.path.realpath(folder), *map(os.path.realpath, writable)]),
        },
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_the_project_runs_and_nothing_else_is_done(command: tuple[str, ...], bait: Path) -> None:
    before = {path: path.lstat().st_mtime_ns for path in bait.rglob("*")}
    done = watched(bait, *(word.format(out=bait.parent / "out") for word in command))
    said = done.stderr.decode("utf-8", "replace")
    assert "FORBIDDEN" not in said, said
    assert done.returncode == 0, said
    assert {path: path.lstat().st_mtime_ns for path in bait.rglob("*")} == before
    assert sorted((bait.parent / "home").iterdir()) == []


@pytest.mark.parametrize(
    "deed",
    [
        "import socket; socket.socket()", "import subprocess; subprocess.run(['true'])", "import os; os.system('true')",
        "open('written', 'w')", "import os; os.mkdir('made')", "exec(compile('1', os.path.abspath('setup.py'), 'exec'))",
        "import os; os.remove('x.pth')", "import os; os.fork()",
    ],
)  # fmt: skip
def test_the_watch_sees_what_it_is_for(deed: str, bait: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{WATCH}\n{deed}\n"],
        cwd=bait,
        env={"PATH": os.environ["PATH"], "WATCHED": os.pathsep.join([os.path.realpath(bait), "/nowhere"])},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 97, done.stderr
