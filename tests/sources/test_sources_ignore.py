"""Ignore files are obeyed as Git obeys them: Git itself is asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from agent_architecture.sources.walk import WalkOptions, walk

TREE = (
    "a.py",
    "keep/a.py",
    "keep/a_log.py",
    "build/x.py",
    "src/build/x.py",
    "src/a.py",
    "src/deep/er/a.py",
    "src/deep/er/b.py",
    "logs/one.py",
    "logs/two.py",
    "foo/bar/x.py",
    "foo/baz/x.py",
    "#odd.py",
    "sp ace.py",
    "abc.py",
)

IGNORE_FILES = (
    {".gitignore": "build/\n"},
    {".gitignore": "/build\n"},
    {".gitignore": "*.py\n!a.py\n"},
    {".gitignore": "*_log.py\n!keep/\n"},
    {".gitignore": "/*\n!/src\n"},
    {".gitignore": "logs/*\n!logs/two.py\n"},
    {".gitignore": "logs/\n!logs/two.py\n"},
    {".gitignore": "logs/**\n!logs/two.py\n"},
    {".gitignore": "foo/*\n!foo/bar/\n"},
    {".gitignore": "**/er/*.py\n", "src/deep/.gitignore": "!b.py\n"},
    {".gitignore": "src/**/a.py\n"},
    {".gitignore": "a.py\n", "src/.gitignore": "!a.py\n", "src/deep/.gitignore": "a.py\n"},
    {".gitignore": "# comment\n\n\\#odd.py\nsp\\ ace.py   \n"},
    {".gitignore": "[ab]*.py\n"},
    {".gitignore": "?bc.py\n"},
    {".gitignore": "deep\n"},
    {".gitignore": "src/deep\n"},
    {".gitignore": "**\n!src/\n!src/a.py\n"},
    {".gitignore": "*\n!*/\n!src/**\n"},
    {".gitignore": "*/\n"},
    {".gitignore": "src/**/er/**\n!src/**/b.py\n"},
    {".gitignore": "/**\n!src/\n!src/**\n"},
    {".gitignore": "src/**/deep/**\n"},
    {".git/info/exclude": "src/\n"},
    {".git/info/exclude": "a.py\n", "src/.gitignore": "!a.py\n"},
)


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def read(*places: Path, options: WalkOptions | None = None) -> list[str]:
    return [file.path for file in walk(places, options or WalkOptions()).files]


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("ignores", IGNORE_FILES, ids=repr)
def test_the_files_that_git_would_not_ignore_are_read(tmp_path: Path, ignores: dict[str, str]) -> None:
    put(tmp_path, dict.fromkeys(TREE, "x = 1\n"))
    git(tmp_path, "init", "-q")
    put(tmp_path, ignores)
    listed = git(tmp_path, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    assert read(tmp_path) == sorted(name for name in listed if name.endswith(".py"))


def test_arxoignore_hides_more_and_takes_back_what_git_ignores(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "", "generated_agent/b.py": "", "c.py": "", "d/e.py": ""})
    put(tmp_path, {".gitignore": "generated_agent/\nc.py\n", ".arxoignore": "!generated_agent/\na.py\nd\n"})
    assert read(tmp_path) == ["generated_agent/b.py"]


@pytest.mark.parametrize("form", [".env.example", ".env.local.sample", "env.template", "prod.example.env"])
def test_a_form_of_variables_is_read_though_git_ignores_files_of_its_kind(tmp_path: Path, form: str) -> None:
    """Git keeps on tracking what it tracks, so a checked out `.env.example` says nothing of `.gitignore`."""
    put(tmp_path, {"a.py": "", form: "KEY=\n", ".env.local": "KEY=1\n", "example.py": "", ".gitignore": "*env*\nex*\n"})
    assert read(tmp_path) == sorted([form, "a.py"])


def test_arxoignore_hides_a_form_of_variables(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "", ".env.example": "KEY=\n", ".arxoignore": ".env.*\n"})
    assert read(tmp_path) == ["a.py"]


def test_ignore_files_above_the_root_count_up_to_the_top_of_the_repository(tmp_path: Path) -> None:
    put(tmp_path, {".gitignore": "b.py\n", "repo/.gitignore": "c.py\n", "repo/sub/a.py": "", "repo/sub/b.py": ""})
    put(tmp_path, {"repo/sub/c.py": "", "repo/.git/info/exclude": "/sub/d.py\n", "repo/sub/d.py": ""})
    assert read(tmp_path / "repo" / "sub") == ["a.py", "b.py"]


@pytest.mark.parametrize("pattern", ["sub/", "sub/**", "/sub", "*", "sub/*", "deep/"])
def test_an_ignored_folder_is_read_when_it_is_named(tmp_path: Path, pattern: str) -> None:
    put(tmp_path, {".git/HEAD": "", ".gitignore": f"{pattern}\n", "sub/deep/a.py": "", "sub/deep/c.py": ""})
    put(tmp_path, {"sub/deep/.gitignore": "c.py\n"})
    assert read(tmp_path / "sub" / "deep") == ["a.py"]


def test_an_ignored_file_is_read_when_it_is_named(tmp_path: Path) -> None:
    put(tmp_path, {".git/HEAD": "", ".gitignore": "*.py\n", "a.py": "", "b.py": ""})
    assert read(tmp_path / "a.py") == ["a.py"]


def test_a_line_that_is_no_pattern_is_a_notice_and_the_others_hold(tmp_path: Path) -> None:
    put(tmp_path, {".gitignore": "b.py\n!\nc.py\n", "a.py": "", "b.py": "", "c.py": ""})
    walked = walk([tmp_path])
    assert [file.path for file in walked.files] == ["a.py"]
    assert [(notice.path, notice.line) for notice in walked.notices] == [(".gitignore", 2)]


@pytest.mark.filterwarnings("error")
def test_a_set_that_python_does_not_understand_is_a_notice_and_one_that_it_doubts_is_none(tmp_path: Path) -> None:
    files = {"a.py": "", "b.py": "", "[.py": ""}
    put(tmp_path, {".gitignore": "b.p[z-a]\n[[].py\n[a||b].txt\n", **files})
    walked = walk([tmp_path])
    assert [file.path for file in walked.files] == ["a.py", "b.py"]
    assert [(notice.path, notice.line) for notice in walked.notices] == [(".gitignore", 1)]


def test_a_pattern_that_would_take_for_ever_is_refused(tmp_path: Path) -> None:
    put(tmp_path, {".gitignore": "*a" * 60 + "b\n", "a" * 200 + ".py": "", "b.py": ""})
    walked = walk([tmp_path])
    assert len(walked.files) == 2
    assert [notice.line for notice in walked.notices] == [1]


def test_globs_of_the_user_choose_files_and_beat_ignore_files(tmp_path: Path) -> None:
    put(tmp_path, {"src/a.py": "", "src/b.ts": "", "lib/c.py": "", "package.json": "{}", ".arxoignore": "!src/a.py\n"})
    assert read(tmp_path, options=WalkOptions(include=("src/",))) == ["src/a.py", "src/b.ts"]
    assert read(tmp_path, options=WalkOptions(include=("*.py", "!lib/"))) == ["src/a.py"]
    assert read(tmp_path, options=WalkOptions(exclude=("src/",))) == ["lib/c.py", "package.json"]
    assert read(tmp_path, options=WalkOptions(exclude=("**/*.py",))) == ["package.json", "src/b.ts"]
    only_code = walk([tmp_path], WalkOptions(include=("src/",)))
    assert [manifest.path for manifest in only_code.manifests] == ["package.json"]
