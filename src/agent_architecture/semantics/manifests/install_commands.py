"""Commands that install or start packages: `npx`, `uvx`, `pip install`, `npm install`, `docker run`, `curl | sh`.

Reads argument lists and shell texts; must not know who runs them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import Pin
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.pins import image_pin, npm_pin, python_pin, url_pin
from agent_architecture.semantics.manifests.ranges import NPM, PYPI, normalise
from agent_architecture.semantics.manifests.requirements import parse_requirement
from agent_architecture.semantics.manifests.shell_words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_TEXT: Final = 20_000
IMAGE: Final = "image"
SCRIPT: Final = "script"
COMPUTED: Final = "a package that is computed"

_BREAK: Final = regex(r"\n|&&|\|\||;|(?<!\|)\|(?!\|)|(?<!&)&(?!&)")
_PIPED: Final = regex(
    r"\b(?:curl|wget)\b[^\n;&|]{0,500}\|\s*(?:\w+=\S+\s+)*(?:sudo\s+)?(?:env\s+)?(?:\w+=\S+\s+)*(?:ba|z|da)?sh\b"
)
_VALUED: Final = frozenset(
    {
        "-p", "--python", "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-t",
        "--target", "--prefix", "--root", "--cache-dir", "--timeout", "--registry", "-C", "--index", "--no-binary",
        "--only-binary", "--trusted-host", "--platform", "--default-index",
    }
)  # fmt: skip
_FILED: Final = regex(r"-[A-Za-z]*[re]")
"""Short options of which the last takes a file or folder: `-r`, `-e`, `-qr`."""
_DOCKER_FLAGS: Final = frozenset(
    {
        "-i", "-t", "-it", "-ti", "-d", "--rm", "--interactive", "--tty", "--detach", "--init", "--privileged",
        "--read-only",
    }
)  # fmt: skip
"""Options of `docker run` that take no value; the others take the next word unless they hold a `=`."""


class Installed(NamedTuple):
    """A package, image or script that a command fetches. `ecosystem` is `pypi`, `npm`, `image` or `script`; `at` is
    the number of the word that names it.
    """

    ecosystem: str
    name: str
    pin: Pin
    at: int = 0


def launched(argv: Sequence[str | None]) -> Installed | None:
    """What a launch command fetches before it starts it; None for a program that is there already.

    A word of None cannot be read: where it may be the package, the pin is unknown.
    """
    program = (argv[0] or "").rpartition("/")[2].removesuffix(".cmd").removesuffix(".exe") if argv else ""
    if program == "cmd" and len(argv) > 2 and argv[1] in {"/c", "/C"}:  # noqa: PLR2004 - Windows' shell
        inner = launched(argv[2:])
        return inner._replace(at=inner.at + 2) if inner else None
    if program in {"npx", "bunx", "pnpx"}:
        return _npx(argv, 1)
    if program in {"pnpm", "yarn", "bun", "npm"} and len(argv) > 1 and argv[1] in {"dlx", "x", "exec"}:
        return _npx(argv, 2) if argv[1] != "exec" or program == "npm" else None
    if program == "uvx":
        return _uvx(argv, 1)
    if (program == "uv" and list(argv[1:3]) == ["tool", "run"]) or (program == "pipx" and list(argv[1:2]) == ["run"]):
        return _uvx(argv, 3 if program == "uv" else 2)
    if program == "uv" and list(argv[1:2]) == ["run"]:
        return _with(argv)
    if program in {"docker", "podman"} and list(argv[1:2]) == ["run"]:
        return _docker(argv)
    return None


def _npx(argv: Sequence[str | None], start: int) -> Installed | None:
    take = False
    for at in range(start, len(argv)):
        word = argv[at]
        if word is None:
            return Installed(NPM, COMPUTED, Pin.UNKNOWN, at)
        if word in {"-p", "--package"}:
            take = True
        elif word.startswith("--package="):
            return _npm(word.partition("=")[2], at)
        elif take or not word.startswith("-"):
            return _npm(word, at)
    return None


def _npm(word: str, at: int) -> Installed | None:
    """`@scope/name@1.2.3`, `name`, `github:owner/name#commit`; None for a path."""
    if word.startswith((".", "/", "~")):
        return None
    if re.match(r"(?:git\+|github:|https?:)", word) or re.fullmatch(r"[\w.-]+/[\w.-]+(?:#\S+)?", word):
        return Installed(NPM, word, url_pin(word), at)
    split = word.find("@", 1)
    name, version = (word[:split], word[split + 1 :]) if split > 0 else (word, "")
    pin = npm_pin(version)
    return Installed(NPM, name, pin, at) if pin is not None else None


def _uvx(argv: Sequence[str | None], start: int) -> Installed | None:
    at = start
    while at < len(argv):
        word = argv[at]
        if word is None:
            return Installed(PYPI, COMPUTED, Pin.UNKNOWN, at)
        if word in {"--from", "--spec"} and at + 1 < len(argv):
            return _python(argv[at + 1], at + 1)
        if word.startswith("--from="):
            return _python(word.partition("=")[2], at)
        if word in _VALUED or word in {"--with", "--with-editable", "--env-file"}:
            at += 1
        elif not word.startswith("-"):
            return _python(word, at)
        at += 1
    return None


def _with(argv: Sequence[str | None]) -> Installed | None:
    """`uv run --with mcp server.py` fetches what the project does not declare."""
    for at in range(2, len(argv) - 1):
        if argv[at] == "--with":
            return _python(argv[at + 1], at + 1)
    return None


def _python(word: str | None, at: int) -> Installed | None:
    """`name`, `name==1.2`, `name@1.2`, `git+https://…@commit`; None for a path."""
    if word is None:
        return Installed(PYPI, COMPUTED, Pin.UNKNOWN, at)
    if re.match(r"(?:git\+|https?:)", word):
        return Installed(PYPI, word, url_pin(word), at)
    if word.startswith((".", "/", "~", "-")) or re.search(r"\.(?:whl|py|tar\.gz)$", word):
        return None
    name, marked, version = word.partition("@")
    if marked and "://" in version:
        return Installed(PYPI, name.strip(), url_pin(version), at)
    if marked:
        return Installed(PYPI, name.partition("[")[0], Pin.EXACT if version[:1].isdigit() else Pin.FLOATING, at)
    parsed = parse_requirement(word)
    return Installed(PYPI, parsed[0], python_pin(parsed[1]), at) if parsed else None


def _docker(argv: Sequence[str | None]) -> Installed | None:
    at = 2
    while at < len(argv):
        word = argv[at]
        if word is None:
            return Installed(IMAGE, "an image that is computed", Pin.UNKNOWN, at)
        if not word.startswith("-"):
            return Installed(IMAGE, word, image_pin(word), at)
        at += 1 if word in _DOCKER_FLAGS or "=" in word else 2
    return None


def installed(text: str) -> Iterator[Installed]:
    """What a shell text installs by name; `-r file`, `.` and lock files (`npm ci`, `uv sync`) are judged elsewhere."""
    joined = re.sub(r"\\\r?\n", " ", text[:MAX_TEXT])
    for found in _PIPED.finditer(joined):
        url = re.search(r"https?://\S+", found[0])
        yield Installed(SCRIPT, url[0].strip("'\"") if url else "a script", Pin.FLOATING)
    for part in _BREAK.split(joined):
        yield from installs(words_of(part))


def installs(words: Sequence[str | None]) -> Iterator[Installed]:
    """What a command installs by name; a word of None cannot be read."""
    for at, word in enumerate(words):
        program = (word or "").rpartition("/")[2]
        following = list(words[at + 1 : at + 2])
        if re.fullmatch(r"pip[\d.]*|pipx", program) and following == ["install"]:
            yield from _arguments(words, at + 2, PYPI)
            return
        if program == "uv" and (
            list(words[at + 1 : at + 3]) in (["pip", "install"], ["tool", "install"]) or following == ["add"]
        ):
            yield from _arguments(words, at + 2 if following == ["add"] else at + 3, PYPI)
            return
        if program in {"npm", "pnpm", "yarn", "bun"} and following in (["install"], ["i"], ["add"]):
            yield from _arguments(words, at + 2, NPM)
            return
        if program in {"npx", "uvx", "bunx", "pnpx"}:
            found = launched(words[at:])
            if found:
                yield found
            return


def _arguments(words: Sequence[str | None], start: int, ecosystem: str) -> Iterator[Installed]:
    hashes = "--require-hashes" in words
    skip = False
    for at in range(start, len(words)):
        word = words[at]
        if skip:
            skip = False
        elif word is None:
            yield Installed(ecosystem, COMPUTED, Pin.UNKNOWN, at)
        elif word in _VALUED or word in {"--requirement", "--editable"} or _FILED.fullmatch(word):
            skip = True
        elif not word.startswith("-"):
            found = _npm(word, at) if ecosystem == NPM else _python(word, at)
            if found and not (found.name.startswith("$") or normalise(ecosystem, found.name) == ""):
                yield found._replace(pin=Pin.DIGEST) if hashes else found
