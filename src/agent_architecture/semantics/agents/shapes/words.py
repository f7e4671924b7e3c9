"""How constructs that declare tools are called: the words of their names.

Says nothing of what stands there: a name alone makes no tool.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from agent_architecture.regexes import regex

_WORD: Final = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

TOOLS: Final = frozenset({"tool", "tools", "toolbox", "toolkit", "toolkits", "toolset", "toolsets"})
ABILITIES: Final = frozenset({"ability", "action", "capability", "function", "skill"})
"""What tools are called besides, where an agent is at hand."""
ACTING: Final = frozenset({"agent", "agents", "assistant", "controller", "kernel", "llm"})
"""Who has abilities."""
OTHERWISE: Final = frozenset(
    {
        *("after", "allow", "authorize", "before", "cache", "cached", "call", "calls", "catch", "check", "choice"),
        *("deprecated", "describe", "disable", "discover", "error", "errors", "event", "filter", "find", "fixture"),
        *("get", "guard", "handle", "handler", "has", "hook", "list", "log", "logged", "measure", "middleware", "mock"),
        *("monitor", "observe", "on", "patch", "record"),
        *("remove", "render", "require", "requires", "result", "retry", "route", "skip", "span", "test", "timed"),
        *("trace", "traced", "track", "unregister", "use", "validate", "watch", "with", "wrap"),
    }
)
"""Words of constructs that do something with a tool that is one already."""
DECLARING: Final = frozenset(
    {
        *("add", "agent", "ai", "base", "build", "create", "custom", "declare", "def", "define", "dynamic", "fn"),
        *("function", "llm", "local", "make", "mcp", "new", "register", "simple", "structured", "typed"),
    }
)
"""Words before `tool` in functions that make or register one."""
AFTER: Final = frozenset({"decorator", "def", "definition", "fn", "func", "function", "method", "spec"})
"""Words behind `tool` in the name of what still declares one."""
REGISTERING: Final = frozenset({"add", "register"})


@cache
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case: `registerTool`, `register_tool` and `Register.tool` have the same."""
    return tuple(word.lower() for word in _WORD.findall(name))


def says_tool(name: str) -> bool:
    """Whether a name speaks of tools."""
    return any(word in TOOLS for word in words_of(name))


def is_decorator_of_tools(dotted: str) -> bool:
    """Whether what decorates something is called as what makes a tool of it: `tool`, `x.tool`, `register_tool`,
    `tools.register`.
    """
    owner, _, last = dotted.rpartition(".")
    return _declares(last) or (last in REGISTERING and says_tool(owner))


def is_decorator_of_abilities(dotted: str) -> bool:
    """Whether it is called as what gives an agent something to do: `agent.action`, `kernel_function`."""
    words = words_of(dotted)
    last = words_of(dotted.rpartition(".")[2])
    return bool(last) and last[-1] in ABILITIES and any(word in ACTING for word in words) and not OTHERWISE & {*last}


def is_registrar(dotted: str) -> bool:
    """Whether a function is called as one that makes or registers tools."""
    owner, _, last = dotted.rpartition(".")
    if last in REGISTERING:
        return says_tool(owner)
    words = words_of(last)
    return _declares(last) and (last[:1].isupper() or all(w in DECLARING or w in TOOLS or w in AFTER for w in words))


@cache
def puts_in(name: str) -> bool:
    """Whether a method is called as one that puts something somewhere, of whichever sort: `register`, `add_public`."""
    words = words_of(name)
    return bool(words) and words[0] in REGISTERING and not OTHERWISE & {*words}


def is_kind_of_tool(name: str) -> bool:
    """Whether a class is called as a kind of tool: `BaseTool`, `Tool`, `ToolBase`, `AbstractTool`, `ToolInterface`."""
    words = words_of(name)
    if not words or OTHERWISE & {*words}:
        return False
    return words[-1] == "tool" or (words[0] in TOOLS and all(word in _BASES for word in words[1:]))


_BASES: Final = frozenset({"abc", "base", "class", "handler", "interface", "mixin", "protocol", "spec"})


def _declares(last: str) -> bool:
    words = words_of(last)
    if not words or OTHERWISE & {*words}:
        return False
    return words[-1] in TOOLS or (words[0] in TOOLS and all(word in AFTER for word in words[1:]))
