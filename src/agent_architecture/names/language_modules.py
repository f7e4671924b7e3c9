"""Which modules are parts of a language: those of Python's standard library, and those that Node brings along."""

from __future__ import annotations

import re
import sys
from typing import Final

NODE: Final = frozenset({
    "assert", "async_hooks", "buffer", "child_process", "cluster", "crypto", "dgram", "dns", "events", "fs", "http",
    "http2", "https", "module", "net", "os", "path", "perf_hooks", "process", "querystring", "readline", "stream",
    "string_decoder", "timers", "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "zlib",
})  # fmt: skip
"""Modules of Node that are also named without `node:` before them."""


def is_foreign(path: str) -> bool:
    """Whether a path is of a package that is not part of the language."""
    if path.startswith("npm:"):
        module = re.split(r"[/:]", path[4:], maxsplit=1)[0]
        return module not in NODE and module not in {"globalThis", "node"}
    return re.split(r"[.:(\[]", path[3:], maxsplit=1)[0] not in {"builtins", *sys.stdlib_module_names}
