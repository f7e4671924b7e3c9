"""Which language a file is in, by its name, the first line of a script, and the kernel of a notebook.

It knows names only; it must not read files and must not know what a file is for (`roles`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from agent_architecture.sources.source import Language

_BY_SUFFIX: Final[dict[str, Language]] = {
    "py": Language.PYTHON,
    "pyi": Language.PYTHON,
    "ipynb": Language.NOTEBOOK,
    "js": Language.JAVASCRIPT,
    "jsx": Language.JAVASCRIPT,
    "mjs": Language.JAVASCRIPT,
    "cjs": Language.JAVASCRIPT,
    "ts": Language.TYPESCRIPT,
    "mts": Language.TYPESCRIPT,
    "cts": Language.TYPESCRIPT,
    "tsx": Language.TSX,
    "json": Language.JSON,
    "jsonc": Language.JSON,
    "json5": Language.JSON,
    "code-workspace": Language.JSON,
    "yaml": Language.YAML,
    "yml": Language.YAML,
    "toml": Language.TOML,
    "env": Language.ENV,
    "dockerfile": Language.DOCKERFILE,
    "md": Language.MARKDOWN,
    "mdx": Language.MARKDOWN,
    "mdc": Language.MARKDOWN,
    "prompt": Language.PROMPT,
    "prompty": Language.PROMPT,
    "j2": Language.PROMPT,
    "jinja": Language.PROMPT,
    "jinja2": Language.PROMPT,
    "sh": Language.TEXT,
    "bash": Language.TEXT,
    "mk": Language.TEXT,
}

# Configuration that coding agents read from a file without an extension: JSON, or Markdown instructions.
_BY_NAME: Final[dict[str, Language]] = {
    ".mcp": Language.JSON,
    ".mcprc": Language.JSON,
    ".cursorrules": Language.MARKDOWN,
    ".windsurfrules": Language.MARKDOWN,
    ".clinerules": Language.MARKDOWN,
    ".roorules": Language.MARKDOWN,
    ".goosehints": Language.MARKDOWN,
    # What starts a project's programs and tests: read as lines, never parsed.
    "makefile": Language.TEXT,
    "gnumakefile": Language.TEXT,
    "justfile": Language.TEXT,
    "procfile": Language.TEXT,
}

# Lock files and plain-text manifests reach `semantics.manifests.versions` only: nothing else is read from them, and a
# lock file
# may have 30 MB.
_LOCKS: Final[dict[str, Language]] = {
    "bun.lock": Language.JSON,
    "npm-shrinkwrap.json": Language.JSON,
    "package-lock.json": Language.JSON,
    "pipfile.lock": Language.JSON,
    "pdm.lock": Language.TOML,
    "poetry.lock": Language.TOML,
    "pylock.toml": Language.TOML,
    "uv.lock": Language.TOML,
    "pnpm-lock.yaml": Language.YAML,
    "yarn.lock": Language.TEXT,
}
_MANIFESTS: Final[dict[str, Language]] = {
    "package.json": Language.JSON,
    "pyproject.toml": Language.TOML,
    "pipfile": Language.TOML,
    "pnpm-workspace.yaml": Language.YAML,
    ".yarnrc.yml": Language.YAML,
    "setup.cfg": Language.TEXT,
}

_REQUIREMENTS: Final = r"(?:.*[-_.])?(?:requi?re?ments?|constraints?)(?:[-_.].*)?\.(?:txt|in|lock)"
"""Also as people misspell it: they install it by that name."""
_DOCKERFILE: Final = r"(?:dockerfile|containerfile)(?:[._-].*)?"
_PROMPT_FOLDERS: Final = frozenset({"prompt", "prompts"})
_REQUIREMENT_FOLDERS: Final = frozenset({"requirements", "constraints"})
_FORM: Final = (
    r"\.?env(?:[._-]\w+)*[._-](?:example|sample|template|dist)|(?:[\w.-]+[._-])?(?:example|sample|template)\.env"
)
_SCRIPT: Final = rb"#![ \t]*\S*?(?:/|env[ \t]+(?:-S[ \t]+)?)(python|node|bun|deno|tsx|ts-node)[\d.]*(?:[ \t]|\r?$)"
_SCRIPT_ENV: Final = rb"#![ \t]*/usr/bin/env[ \t]+(?:-S[ \t]+)?(?:uv[ \t]+run|uvx|pipx[ \t]+run)\b"

_PYTHON: Final = (".py", ".pyi", ".ipynb")
_KERNEL: Final = rb'"kernelspec"\s*:\s*\{[^{}]*?"language"\s*:\s*"(typescript|javascript)"'
"""What a notebook says of the language of its cells: tslab and Deno write it there (nbformat 4, `metadata`)."""

CODE: Final = frozenset(
    {Language.PYTHON, Language.NOTEBOOK, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX},
)
"""The languages that programs are written in; the others are documents."""


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


@cache
def _bytes_regex(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.MULTILINE)


def language_of(name: str, folder: str = "") -> Language | None:
    """The language of the file `name` in a folder named `folder`, None when it is not read (lock files included)."""
    low = name.lower()
    suffix = low.rpartition(".")[2] if "." in low else ""
    by_suffix = _BY_SUFFIX.get(suffix)
    if by_suffix in CODE:
        return by_suffix
    if low in _LOCKS or (low not in _MANIFESTS and manifest_language(low, folder)):
        return None
    if low in _BY_NAME:
        return _BY_NAME[low]
    if low.startswith(".env.") and by_suffix in {Language.YAML, Language.JSON}:  # one mapping of variables: `.env.yaml`
        return by_suffix
    if low == ".env" or low.startswith(".env.") or is_form_of_variables(low):
        return Language.ENV
    if by_suffix:
        return by_suffix
    if low[:1] in {"d", "c"} and _regex(_DOCKERFILE).fullmatch(low):
        return Language.DOCKERFILE
    if suffix == "txt" and folder.lower() in _PROMPT_FOLDERS:
        return Language.PROMPT
    return None


def is_form_of_variables(name: str) -> bool:
    """Whether the file `name` shows which variables of the environment there are, to be copied and filled in."""
    return "env" in name.lower() and _regex(_FORM).fullmatch(name.lower()) is not None


def manifest_language(name: str, folder: str = "") -> Language | None:
    """The format of a manifest or lock file of Python or npm packages; None for every other file."""
    low = name.lower()
    known = _MANIFESTS.get(low) or _LOCKS.get(low)
    if known:
        return known
    if not low.endswith((".txt", ".in", ".lock", ".toml")):
        return None
    if low.startswith("pylock.") and low.endswith(".toml"):
        return Language.TOML
    if folder.lower() in _REQUIREMENT_FOLDERS and low.endswith((".txt", ".in")):
        return Language.TEXT
    return Language.TEXT if _regex(_REQUIREMENTS).fullmatch(low) else None


def may_be_script(name: str) -> bool:
    """Whether the file has no extension, so that only its first line says what it is."""
    return "." not in name


def script_language(head: bytes) -> Language | None:
    """The language that a `#!` line names; None without one, and for other interpreters."""
    if not head.startswith(b"#!"):
        return None
    line = head.split(b"\n", 1)[0]
    if _bytes_regex(_SCRIPT_ENV).match(line):
        return Language.PYTHON
    found = _bytes_regex(_SCRIPT).match(line)
    if not found:
        return None
    interpreter = found.group(1)
    if interpreter == b"python":
        return Language.PYTHON
    return Language.JAVASCRIPT if interpreter == b"node" else Language.TYPESCRIPT


def is_python(path: str) -> bool:
    """Whether the code of a file is Python by its name alone, notebooks among it."""
    return path.endswith(_PYTHON)


def is_notebook(path: str) -> bool:
    """Whether the code of a file stands in the cells of a notebook, in whatever language."""
    return path.endswith(".ipynb")


def content_language(language: Language, data: bytes) -> Language:
    """The language of a file by its content too: the cells of a notebook may be TypeScript or JavaScript."""
    found = _bytes_regex(_KERNEL).search(data) if language is Language.NOTEBOOK else None
    if found is None:
        return language
    return Language.TYPESCRIPT if found.group(1) == b"typescript" else Language.JAVASCRIPT
