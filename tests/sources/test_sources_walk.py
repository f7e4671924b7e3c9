"""What a walk reads, what it leaves, and what it says about what it leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_architecture.errors import UsageError
from agent_architecture.sources.source import Language
from agent_architecture.sources.walk import Walked, WalkOptions, walk


def put(root: Path, *names: str, text: str = "x = 1\n") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def paths(walked: Walked) -> list[str]:
    return [file.path for file in walked.files]


def complaints(walked: Walked) -> list[tuple[str, int | None]]:
    return [(notice.path, notice.line) for notice in walked.notices]


def test_files_are_sorted_by_their_path_below_the_root(tmp_path: Path) -> None:
    put(tmp_path, "b.py", "a/z.py", "a-b/c.py", "a.py")
    walked = walk([tmp_path])
    assert paths(walked) == ["a-b/c.py", "a.py", "a/z.py", "b.py"]
    assert walked.root == tmp_path


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", Language.PYTHON),
        ("a.pyi", Language.PYTHON),
        ("a.ipynb", Language.NOTEBOOK),
        ("a.js", Language.JAVASCRIPT),
        ("a.jsx", Language.JAVASCRIPT),
        ("a.mjs", Language.JAVASCRIPT),
        ("a.cjs", Language.JAVASCRIPT),
        ("a.ts", Language.TYPESCRIPT),
        ("a.mts", Language.TYPESCRIPT),
        ("a.d.ts", Language.TYPESCRIPT),
        ("a.tsx", Language.TSX),
        (".mcp.json", Language.JSON),
        ("a.json5", Language.JSON),
        ("a.yml", Language.YAML),
        ("a.toml", Language.TOML),
        (".env", Language.ENV),
        (".env.local", Language.ENV),
        ("prod.env", Language.ENV),
        ("env.template", Language.ENV),
        (".env_example", Language.ENV),
        ("Dockerfile", Language.DOCKERFILE),
        ("Dockerfile.dev", Language.DOCKERFILE),
        ("api.dockerfile", Language.DOCKERFILE),
        ("Containerfile", Language.DOCKERFILE),
        ("a.md", Language.MARKDOWN),
        ("rule.mdc", Language.MARKDOWN),
        (".cursorrules", Language.MARKDOWN),
        ("a.prompty", Language.PROMPT),
        ("a.md.j2", Language.PROMPT),
        ("prompts/system.txt", Language.PROMPT),
        ("dockerfile_tools.py", Language.PYTHON),
        ("Makefile", Language.TEXT),
        ("scripts/eval.sh", Language.TEXT),
    ],
)
def test_the_language_follows_from_the_name(tmp_path: Path, name: str, language: Language) -> None:
    put(tmp_path, name)
    assert [(file.path, file.language) for file in walk([tmp_path]).files] == [(name, language)]


@pytest.mark.parametrize("name", ["a.txt", "a.png", "notes/system.txt", "a.pyc", "LICENSE", "a.rs", "py"])
def test_other_files_are_left_without_a_word(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    walked = walk([tmp_path])
    assert (walked.files, walked.notices) == ((), ())


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env python3", Language.PYTHON),
        ("#!/usr/bin/python3.12 -u", Language.PYTHON),
        ("#!/usr/bin/env -S uv run --script", Language.PYTHON),
        ("#!/usr/bin/env node\r", Language.JAVASCRIPT),
        ("#! /usr/bin/env -S tsx", Language.TYPESCRIPT),
    ],
)
def test_a_script_without_an_extension_is_known_by_its_first_line(
    tmp_path: Path, line: str, language: Language
) -> None:
    put(tmp_path, "run", text=f"{line}\nx = 1\n")
    put(tmp_path, "other", text="#!/bin/bash\npython3 x\n")
    assert [(file.path, file.language) for file in walk([tmp_path]).files] == [("run", language)]


def test_a_file_alone_has_its_folder_as_the_root(tmp_path: Path) -> None:
    put(tmp_path, "tests/a.py", "tests/b.py")
    walked = walk([tmp_path / "tests" / "a.py"])
    assert (walked.root, paths(walked)) == (tmp_path / "tests", ["a.py"])


def test_several_paths_share_their_common_parent_and_no_file_is_read_twice(tmp_path: Path) -> None:
    put(tmp_path, "p/a/one.py", "p/b/two.py", "p/c/three.py")
    walked = walk([tmp_path / "p" / "b", tmp_path / "p" / "a", tmp_path / "p" / "a" / "one.py"])
    assert (walked.root, paths(walked)) == (tmp_path / "p", ["a/one.py", "b/two.py"])


def test_a_path_inside_another_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "a/one.py", "two.py")
    assert paths(walk([tmp_path, tmp_path / "a"])) == ["a/one.py", "two.py"]


def test_a_path_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing does not exist"):
        walk([tmp_path / "nothing"])


def test_a_glob_that_is_no_pattern_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a pattern"):
        walk([tmp_path], WalkOptions(exclude=("!",)))


def test_a_named_file_in_an_unknown_language_is_a_notice(tmp_path: Path) -> None:
    put(tmp_path, "a.rs")
    put(tmp_path, "b", text="#!/bin/sh\n")
    assert complaints(walk([tmp_path / "a.rs", tmp_path / "b"])) == [("a.rs", None), ("b", None)]


def test_installed_packages_and_caches_are_not_entered(tmp_path: Path) -> None:
    put(tmp_path, "node_modules/x/a.js", ".venv/lib/a.py", "__pycache__/a.py", ".git/hooks/a.py", "a.py")
    put(tmp_path, "other/pyvenv.cfg", "other/lib/b.py", "p/node_modules/x/package.json")
    walked = walk([tmp_path])
    assert (paths(walked), walked.manifests) == (["a.py"], ())


@pytest.mark.parametrize("folder", ["node_modules/x", "node_modules", ".venv"])
def test_a_folder_that_would_be_skipped_is_read_when_it_is_named(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}/a.py", f"{folder}/pyvenv.cfg")
    assert paths(walk([tmp_path / folder])) == ["a.py"]


def test_a_link_out_of_the_root_is_a_notice_and_is_not_read(tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.py", "in/a.py")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "in" / "file.py").symlink_to(tmp_path / "outside" / "secret.py")
    (tmp_path / "in" / "up").symlink_to("..")
    (tmp_path / "in" / "gone.py").symlink_to("nowhere.py")
    walked = walk([tmp_path / "in"])
    assert paths(walked) == ["a.py"]
    assert [(n.path, n.incomplete) for n in walked.notices] == [
        ("file.py", True),
        ("folder", True),
        ("gone.py", False),
        ("up", True),
    ]


def test_a_root_whose_name_begins_like_a_link_target_does_not_contain_it(tmp_path: Path) -> None:
    put(tmp_path, "in-secret/a.py", "in/b.py")
    (tmp_path / "in" / "link.py").symlink_to(tmp_path / "in-secret" / "a.py")
    assert paths(walk([tmp_path / "in"])) == ["b.py"]


def test_a_link_inside_is_read_once_and_loops_end(tmp_path: Path) -> None:
    put(tmp_path, "real/a.py")
    (tmp_path / "real" / "loop").symlink_to(tmp_path / "real")
    (tmp_path / "alias").symlink_to("real")
    (tmp_path / "copy.py").symlink_to("real/a.py")
    (tmp_path / "self").symlink_to("self")
    assert paths(walk([tmp_path])) == ["real/a.py"]


def test_a_link_to_a_file_that_is_not_read_itself_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "agent.txt", "hidden/b.py")
    put(tmp_path, ".gitignore", text="hidden/\n")
    (tmp_path / "agent.py").symlink_to("agent.txt")
    (tmp_path / "one.py").symlink_to("hidden/b.py")
    (tmp_path / "two.py").symlink_to("hidden/b.py")
    (tmp_path / "shown").symlink_to("hidden")
    assert paths(walk([tmp_path])) == ["agent.py", "one.py"]


def test_links_into_installed_packages_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "node_modules/x/a.js", "a.js")
    (tmp_path / "lib").symlink_to("node_modules/x")
    assert paths(walk([tmp_path])) == ["a.js"]


def test_a_root_that_is_a_link_is_followed(tmp_path: Path) -> None:
    put(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")
    walked = walk([tmp_path / "link"])
    assert (walked.root, paths(walked)) == (tmp_path / "real", ["a.py"])


def test_pipes_are_not_opened(tmp_path: Path) -> None:
    put(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "noextension")
    os.mkfifo(tmp_path / "picture.png")
    (tmp_path / "null.py").symlink_to("/dev/null")
    walked = walk([tmp_path])
    assert paths(walked) == ["a.py"]
    assert complaints(walked) == [("noextension", None), ("null.py", None), ("pipe.py", None)]
    assert paths(walk([tmp_path / "pipe.py"])) == []


def test_a_file_over_the_limit_is_a_notice_and_a_lock_file_has_its_own_limit(tmp_path: Path) -> None:
    put(tmp_path, "big.py", "uv.lock", text="#" * 101)
    put(tmp_path, "small.py", text="#" * 100)
    walked = walk([tmp_path], WalkOptions(max_bytes=100, max_lock_bytes=101))
    assert paths(walked) == ["small.py"]
    assert [file.path for file in walked.manifests] == ["uv.lock"]
    assert complaints(walked) == [("big.py", None)]
    assert complaints(walk([tmp_path], WalkOptions(max_lock_bytes=100))) == [("uv.lock", None)]


def test_a_project_that_would_fill_the_memory_is_read_in_part(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.py", "c.py", text="#" * 40)
    walked = walk([tmp_path], WalkOptions(max_total_bytes=100))
    assert paths(walked) == ["a.py", "b.py"]
    assert complaints(walked) == [("c.py", None)]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read_is_a_notice(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.py", "closed/c.py")
    (tmp_path / "a.py").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        walked = walk([tmp_path])
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert (paths(walked), complaints(walked)) == (["b.py"], [("a.py", None), ("closed", None)])


def test_a_binary_file_with_the_extension_of_a_program_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "video.ts").write_bytes(b"G@\x00\x10" * 50)
    (tmp_path / "late.py").write_bytes(b"#" * 9000 + b"\x00")
    walked = walk([tmp_path])
    assert (paths(walked), complaints(walked)) == (["late.py"], [("video.ts", None)])


def test_bytes_that_are_not_utf8_are_replaced_with_a_notice_on_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\r\ny = '\xe9'\n# caf\xe9\n")
    walked = walk([tmp_path])
    assert walked.files[0].data == "x = 1\r\ny = '\ufffd'\n# caf\ufffd\n".encode()
    assert complaints(walked) == [("a.py", 2)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_obeyed_and_dropped(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.py").write_bytes("x = 'é'\n".encode(encoding))
    walked = walk([tmp_path])
    assert (walked.files[0].data, walked.notices) == ("x = 'é'\n".encode(), ())


def test_utf16_that_breaks_off_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes("x = 1\ny = 2\n".encode("utf-16")[:-1])
    walked = walk([tmp_path])
    assert walked.files[0].data.startswith(b"x = 1\ny = 2")
    assert complaints(walked) == [("a.py", 2)]


def test_a_name_that_is_not_utf8_is_shown_with_a_replacement(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.py")).write_bytes(b"x = 1\n")
    assert paths(walk([tmp_path])) == ["caf\ufffd.py"]


def test_very_deep_folders_are_a_notice(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "/".join(["d"] * 80) + "/b.py")
    walked = walk([tmp_path])
    assert paths(walked) == ["a.py"]
    assert [notice.path for notice in walked.notices] == ["/".join(["d"] * 65)]


def test_manifests_and_lock_files_come_apart(tmp_path: Path) -> None:
    put(tmp_path, "package.json", "pyproject.toml", "pnpm-workspace.yaml", text="")
    put(tmp_path, "package-lock.json", "uv.lock", "yarn.lock", "bun.lock", "Pipfile.lock", "pnpm-lock.yaml", text="")
    put(tmp_path, "requirements.txt", "requirements-dev.in", "requirements/base.txt", "setup.cfg", "Pipfile", text="")
    put(tmp_path, "dev-requirements.txt", "constraints.txt", "requirements.lock", "robots.txt", text="")
    walked = walk([tmp_path])
    assert paths(walked) == ["package.json", "pnpm-workspace.yaml", "pyproject.toml"]
    found = {file.path: file.language for file in walked.manifests}
    assert set(found) == {
        *("package.json", "pyproject.toml", "pnpm-workspace.yaml", "package-lock.json", "uv.lock", "yarn.lock"),
        *("bun.lock", "Pipfile.lock", "pnpm-lock.yaml", "requirements.txt", "requirements-dev.in"),
        *(
            "requirements/base.txt",
            "setup.cfg",
            "Pipfile",
            "dev-requirements.txt",
            "constraints.txt",
            "requirements.lock",
        ),
    }
    assert found["uv.lock"] is Language.TOML
    assert found["bun.lock"] is Language.JSON
    assert found["pnpm-lock.yaml"] is Language.YAML
    assert found["yarn.lock"] is Language.TEXT


def test_the_order_of_the_arguments_does_not_matter(tmp_path: Path) -> None:
    put(tmp_path, "a/x.py", "b/y.py", "c/z.py")
    places = [tmp_path / name for name in "abc"]
    assert walk(places) == walk(places[::-1])
