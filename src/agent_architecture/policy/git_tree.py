"""The files of a git ref, written to a folder: from git's objects, without touching the work tree.

The repository may be hostile. Only commands that read objects are run, with everything switched off by which a
repository's own configuration could start a program or reach a network; no filters, no attributes, no links.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from threading import Timer
from typing import IO, Final

from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

HARMLESS: Final = (
    "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", f"core.attributesFile={os.devnull}",
    "-c", "core.sshCommand=false", "-c", "core.askPass=false", "-c", "credential.helper=", "-c", "protocol.allow=never",
    "-c", "safe.bareRepository=explicit", "-c", "core.alternateRefsCommand=false", "-c", "log.showSignature=false",
)  # fmt: skip
"""What a repository's own configuration may not decide. No command that is run here asks for most of it."""
ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
SECONDS: Final = 60
MAX_FILES: Final = 200_000
MAX_BYTES: Final = 2_000_000_000
MAX_FILE: Final = 30_000_000
"""Larger files are left out: the analysis reads none of them."""
MAX_ANSWER: Final = 50_000_000
"""Bytes of a list of files."""
MAX_REF: Final = 1_000
IGNORE_FILES: Final = frozenset({".gitignore", ".arxoignore"})
"""What holds for a folder though it stands above it."""

REGULAR: Final = frozenset({"100644", "100755", "100664"})
LACKING: Final = "the git object of {} is missing or damaged; fetch it first (git fetch --refetch)"
_OBJECT: Final = regex(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Tree(NamedTuple):
    """A ref of the repository that a folder lies in: its commit, and the folder's path from the top ("" or "a/b/")."""

    folder: Path
    ref: str
    commit: str
    prefix: str


class Blob(NamedTuple):
    """A file of a tree: path from the top, and the id of its content."""

    path: str
    object: str
    size: int


def tree_of(folder: Path, ref: str) -> Tree:
    """What `ref` means in the repository around `folder`.

    Raises:
        UsageError: there is no git, no repository, or no such ref; or it could be taken for an option.
    """
    checked_ref(ref)
    prefix = folder_in_git(folder)
    missing = f"there is no git ref {ref} here (and no such file); fetch it first, or name a saved report"
    commit = _ask(folder, "rev-parse", "--verify", "--quiet", ref + "^{commit}", or_say=missing).strip()
    if _OBJECT.fullmatch(commit) is None:
        raise UsageError(missing)
    return Tree(folder, ref, commit, prefix)


def folder_in_git(folder: Path) -> str:
    """The path of a folder from the top of its repository: "" or "a/b/".

    Raises:
        UsageError: there is no git, or no repository.
    """
    return _ask(folder, "rev-parse", "--show-prefix", or_say=f"{folder} lies in no git repository").strip("\n")


def checked_ref(ref: str) -> None:
    """Raises `UsageError` for what can be no git ref, and for what could be taken for an option."""
    if not ref or ref.startswith("-") or len(ref) > MAX_REF or not ref.isprintable():
        raise UsageError(f"{ref!r} cannot be a git ref")


def write_tree(tree: Tree, target: Path) -> Path:
    """Write what the ref has of the folder below `target`; the folder that stands for it there.

    Raises:
        UsageError: the tree is too large, or an object is missing.
    """
    root = target / PurePosixPath(tree.prefix)
    root.mkdir(parents=True, exist_ok=True)
    (target / ".git").mkdir()  # ignore files count from here on
    blobs = [blob for blob in _listed(tree) if blob.size <= MAX_FILE]
    if len(blobs) > MAX_FILES or sum(blob.size for blob in blobs) > MAX_BYTES:
        raise UsageError(f"the tree of {tree.ref} is too large to compare with: {len(blobs)} files")
    command = command_of(tree.folder, "cat-file", "--batch")
    with subprocess.Popen(  # noqa: S603 - no shell; see HARMLESS
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        if process.stdin is not None and process.stdout is not None:
            for blob in blobs:
                write_blob(blob, target, _content(blob, process.stdin, process.stdout))
            process.stdin.close()
    return root


def renames(folder: Path, before: str, after: str = "") -> dict[str, str]:
    """Old paths to new ones, both as seen from `folder`, of the files that git calls renamed between two commits; from
    a commit to the index without a second one. Empty where git does not say: to follow a rename is a convenience.

    Only objects are compared, never the work tree: nothing that a repository configures for its files is run.
    """
    command = ("diff-tree", "-r", before, after) if after else ("diff-index", "--cached", before)
    options = ("-z", "-M", "--name-status", "--diff-filter=R", "--no-ext-diff", "--no-textconv")
    try:
        prefix = folder_in_git(folder)
        answer = _ask(folder, command[0], *options, *command[1:], or_say="")
    except UsageError:
        return {}
    words = answer.split("\0")
    pairs = zip(words[1::3], words[2::3], strict=False)  # R100, old, new
    return {
        old.removeprefix(prefix): new.removeprefix(prefix)
        for old, new in pairs
        if old.startswith(prefix) and new.startswith(prefix)
    }


def last_change(file: Path) -> str:
    """The last commit that changed a file; "" where git knows none."""
    try:
        answer = _ask(file.parent, "log", "-1", "--format=%H", "--", file.name, or_say="").strip()
    except UsageError:
        return ""
    return answer if _OBJECT.fullmatch(answer) else ""


def _wanted(path: str, prefix: str) -> bool:
    folder, _, name = path.rpartition("/")
    return path.startswith(prefix) or (name in IGNORE_FILES and prefix.startswith(folder + "/" if folder else ""))


def _listed(tree: Tree) -> Iterator[Blob]:
    """The regular files of the folder that the tree is of, and the ignore files above, where safe to write."""
    listing = _ask(
        tree.folder, "ls-tree", "-r", "-l", "-z", "--full-tree", tree.commit, or_say=f"cannot list {tree.ref}"
    )
    for line in listing.split("\0"):
        about, tab, path = line.partition("\t")
        words = about.split()
        if not tab or len(words) != 4 or words[0] not in REGULAR:  # noqa: PLR2004 - mode, type, id, size
            continue
        if not _wanted(path, tree.prefix) or not is_safe(path):
            continue
        if not words[3].isdigit():
            raise UsageError(LACKING.format(path))
        yield Blob(path, words[2], int(words[3]))


def is_safe(path: str) -> bool:
    """Whether a path of a tree, which its author may have made by hand, stays below the folder that it is put in."""
    parts = path.split("/")
    forbidden = "\\:" if os.name == "nt" else ""
    return not any(
        part in {"", ".", ".."} or part.lower() == ".git" or any(char in part for char in forbidden) for part in parts
    )


def _content(blob: Blob, asked: IO[bytes], answered: IO[bytes]) -> bytes:
    try:
        asked.write(blob.object.encode() + b"\n")
        asked.flush()
    except BrokenPipeError:  # git has ended
        raise UsageError(LACKING.format(blob.path)) from None
    words = answered.readline(MAX_REF).split()
    if len(words) != 3 or words[1] != b"blob" or int(words[2]) != blob.size:  # noqa: PLR2004 - id, type, size
        raise UsageError(LACKING.format(blob.path))
    content = answered.read(blob.size + 1)
    return content[: blob.size]


def write_blob(blob: Blob, target: Path, content: bytes) -> None:
    """Write a file of a tree below `target`, where its name is not taken.

    Raises:
        UsageError: it cannot be written.
    """
    file = target / PurePosixPath(blob.path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as stream:
            stream.write(content)
    except (FileExistsError, NotADirectoryError):  # a tree that no git made: one name twice
        return
    except OSError as error:
        raise UsageError(f"cannot write the tree to {target}: {error.strerror}") from None


# ------------------------------------------------------------------------------------------------------------------ git
def _ask(folder: Path, *arguments: str, or_say: str) -> str:
    """What git answers, within bounds: trees that contain one tree ten times, and so on, have more files than fit
    anywhere. Raises `UsageError` with the given sentence where it fails.
    """
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell; see HARMLESS
                command_of(folder, *arguments),
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except FileNotFoundError:
            raise UsageError("a git ref needs git, which is not installed; name a saved report instead") from None
        alarm = Timer(SECONDS, process.kill)
        with process:
            alarm.start()
            answer = process.stdout.read(MAX_ANSWER + 1) if process.stdout is not None else b""
            if len(answer) > MAX_ANSWER:
                process.kill()
            process.wait()
            late = not alarm.is_alive()
            alarm.cancel()
        complaints.seek(0)
        said = complaints.read(MAX_REF).decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
    if late:
        raise UsageError(f"git did not answer within {SECONDS} seconds")
    if len(answer) > MAX_ANSWER:
        raise UsageError("the tree of the git ref is too large to compare with")
    if process.returncode:
        raise UsageError(or_say + (f" ({said})" if said else ""))
    return answer.decode("utf-8", "surrogateescape")


def command_of(folder: Path, *arguments: str) -> Sequence[str]:
    """What starts git in a folder, with everything switched off that its repository could configure."""
    return ("git", "--no-pager", *HARMLESS, "-C", str(folder), *arguments)


def environment() -> dict[str, str]:
    """The user's environment without what points git elsewhere (`GIT_DIR` in a hook), and with what keeps it quiet."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | ENVIRONMENT
