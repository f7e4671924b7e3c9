"""Configuration that code reads from a file of the project: `yaml.safe_load(open("config.yaml"))`.

The file is the one that a constant text on the way to the loader names, the nearest to the code that reads it. What is
read from somewhere else is not readable.
"""

from __future__ import annotations

from posixpath import dirname, splitext
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

LOADERS: Final = {
    **dict.fromkeys(("py:json.load", "py:json.loads", "npm:globalThis:JSON.parse"), (".json",)),
    **dict.fromkeys(
        ("py:yaml.safe_load", "py:yaml.load", "py:yaml.full_load", "py:yaml.unsafe_load", "py:ruamel.yaml.YAML().load",
         "py:omegaconf.OmegaConf.load", "npm:js-yaml:load", "npm:yaml:parse"),
        (".yaml", ".yml", ".json"),
    ),
    **dict.fromkeys(
        ("py:tomllib.load", "py:tomllib.loads", "py:tomli.load", "py:tomli.loads", "py:toml.load", "py:toml.loads",
         "npm:smol-toml:parse", "npm:@iarna/toml:parse", "npm:toml:parse"),
        (".toml",),
    ),
}  # fmt: skip
"""Calls that make data of a file or text, and the extensions of the files that they can read."""


def content(program: Program, path: str, call: ir.Call) -> Values | None:
    """The data in the file that a loader reads; None when the call is no loader, or its file is not told."""
    extensions = LOADERS.get(path)
    if extensions is None or not call.args:
        return None
    file = _file(program, call, extensions)
    module = program.table.get(file) if file is not None else None
    if module is None or len(module.body) != 1:
        return None
    return program.value_of(module.body[0])  # type: ignore[arg-type]  # a document's body is an expression


def _file(program: Program, call: ir.Call, extensions: tuple[str, ...]) -> str | None:
    """The file of the project that the constants on the way to the loader name; None for none, or several as near."""
    from agent_architecture.names.flow import origins

    found = origins(program, call.args[0].value)
    texts = [o.node.value for o in found if isinstance(o.node, ir.Literal) and isinstance(o.node.value, str)]
    named = [text.removeprefix("./").lstrip("/") for text in texts if splitext(text)[1] in extensions]
    if len(set(named)) != 1:
        return None
    wanted = named[0].replace("../", "")
    near = [path for path in program.table.paths if path == wanted or path.endswith("/" + wanted)]
    home = dirname(call.span.path).split("/")
    ranked = sorted((-_shared(home, path), path.count("/"), path) for path in near)
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    return ranked[0][2]


def _shared(home: list[str], path: str) -> int:
    """How many folders two files have in common."""
    common = 0
    for mine, other in zip(home, dirname(path).split("/"), strict=False):
        if mine != other:
            break
        common += 1
    return common
