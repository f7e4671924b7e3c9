"""One commit of a repository elsewhere, brought here by git: nothing but objects, and no more than is allowed.

The other side may be hostile. No hook, no submodule, no filter and no attribute is obeyed, nothing is checked out
(`policy.git_tree` writes the files from the objects), and git asks nobody for a password. Who ends this process ends
git with it: they are of one process group.
"""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import UsageError
from agent_architecture.policy.git_tree import Tree, tree_of
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HARMLESS: Final = (
    "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false",
    "-c", "fetch.recurseSubmodules=false", "-c", "fetch.unpackLimit=1", "-c", "fetch.writeCommitGraph=false",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.version=2",
    "-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always",
    "-c", "protocol.file.allow=always", "-c", "http.followRedirects=initial",
)  # fmt: skip
ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "SSH_ASKPASS_REQUIRE": "never",
}
ELSEWHERE: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
)
"""What would lead git to another repository; the user's credentials and proxies stay."""
QUIET: Final = {"GIT_ASKPASS": "true", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes"}
"""Where the user's environment does not say who gives passwords: nobody does, and nobody is asked."""
POLL: Final = 0.05
"""Seconds between two looks at how much was fetched."""
LONGEST: Final = 300
MAX_REFS: Final = 10_000_000
"""Bytes of a list of refs."""

_OBJECT: Final = regex(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def commit_of(address: str, ref: str) -> tuple[str, str]:
    """The commit that a ref (HEAD by default) is at, and what to ask for to get it.

    Raises:
        UsageError: it cannot be reached, or has no such ref.
    """
    if _OBJECT.fullmatch(ref):
        return ref, ref
    wanted = [ref, f"refs/tags/{ref}", f"refs/heads/{ref}"] if ref else ["HEAD"]
    patterns = [*wanted, *(f"{one}^{{}}" for one in wanted)]
    answer = _git("ls-remote", "--quiet", "--", address, *patterns)
    found = dict(line.partition("\t")[::2][::-1] for line in answer.splitlines())
    for name in wanted:
        commit = found.get(name + "^{}", found.get(name, ""))
        if _OBJECT.fullmatch(commit):
            return commit, name
    raise UsageError(f"it has no ref {ref}" if ref else "it has no commit")


def fetched(address: str, name: str, folder: Path, most: int) -> Tree:
    """The tree of a ref, with its objects in `folder`, which is there and empty; at most so many bytes of them.

    Raises:
        UsageError: it cannot be fetched, or is larger.
    """
    _git("init", "--quiet", "--template=", str(folder))
    target = ("--depth", "1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--quiet")
    refspec = f"+{name}:refs/fleet/wanted"
    _git("-C", str(folder), "fetch", *target, "--", address, refspec, folder=folder, most=most)
    return tree_of(folder, "refs/fleet/wanted")


def _git(*arguments: str, folder: Path | None = None, most: int = 0) -> str:
    """What git answers; it is ended when `folder` holds more than it may."""
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    environment = QUIET | environment | ENVIRONMENT
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; see HARMLESS
            ("git", "--no-pager", *HARMLESS, *arguments),  # noqa: S607 - the caller's own git
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise UsageError("git is not installed") from None
    with process:
        while folder is not None and process.poll() is None:
            if _size(folder) > most:
                process.kill()
            time.sleep(POLL)
        answer, said = process.communicate()
    if folder is not None and _size(folder) > most:
        raise UsageError(f"it is larger than {most // 2**20} MB (--max-download)")
    if process.returncode:
        raise UsageError(f"git cannot fetch it: {_reason(said)}")
    return answer[:MAX_REFS].decode("utf-8", "replace")


def _reason(said: bytes) -> str:
    """The first complaint of git or of what it started."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith("fatal: ")]
    return (fatal or lines or ["it says nothing"])[0].removeprefix("fatal: ")[:LONGEST]


def _size(folder: Path) -> int:
    """The bytes below a folder that git writes to meanwhile."""
    return sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - called often
            except OSError:  # it was renamed meanwhile
                continue
