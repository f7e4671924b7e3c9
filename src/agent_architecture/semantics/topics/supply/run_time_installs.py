"""What the tools of agents install while they run: `subprocess.run([sys.executable, "-m", "pip", "install", name])`.

Reads the commands that the code of tools starts; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.semantics.manifests.install_commands import COMPUTED, installed, installs
from agent_architecture.semantics.topics.supply.launches import read_words
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.manifests.install_commands import Installed
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

STARTING: Final = frozenset({"execute_process", "execute_shell"})
INSTALLERS: Final = frozenset({"pip", "setuptools", "wheel", "uv"})
"""What installs, and is brought up to date before it does."""
LAUNCHERS: Final = frozenset({"npx", "uvx", "bunx", "pnpx"})
NAMED_LATER: Final = "a package that is named while the agent runs"


def at_run_time(context: Context, tools: tuple[Tool, ...]) -> Iterator[InstallPath]:
    """Every package that a command in the code of a tool installs, at the word that names it."""
    effects = {effect.span: effect for tool in tools for effect in tool.effects if effect.kind in STARTING}
    for name in sorted({effect.symbol.rpartition(".")[2] for effect in effects.values()}):
        for site in context.program.calls(name):
            if site.call.span in effects:
                for found, span in _in_call(context, site.call):
                    if found.name not in INSTALLERS:
                        yield _path(found, span)


def _path(found: Installed, span: Span) -> InstallPath:
    """A version that is not written is whatever is newest then."""
    name = NAMED_LATER if found.name == COMPUTED else found.name
    pin = Pin.FLOATING if found.pin is Pin.UNKNOWN else found.pin
    return InstallPath(span, name, "", "run time", (InstallItem(name, pin, span),))


def _in_call(context: Context, call: ir.Call) -> Iterator[tuple[Installed, Span]]:
    given = [argument.value for argument in call.args if argument.keyword in {None, "args"}]
    if given and isinstance(given[0], ir.Template):
        yield from ((found, given[0].span) for found in installs(_pieces(given[0])))
        return
    read = [word for expr in given[:2] for word in zip(*read_words(context, expr), strict=True)]
    texts = [text for text, _ in read]
    if LAUNCHERS & set(texts):
        return  # what is there already is run as it is
    if texts and texts[0] is not None and " " in texts[0]:  # a line for a shell
        yield from ((found, read[0][1]) for found in installed(texts[0]))
        return
    yield from ((found, read[found.at][1]) for found in installs(texts))


def _pieces(line: ir.Template) -> list[str | None]:
    """The words of a line, None for those that are put in as a whole; a word of which only a part is, is left out."""
    words: list[str | None] = []
    begins = True
    for part in line.parts:
        text = part.value if isinstance(part, ir.Literal) else None
        if isinstance(text, str):
            words.extend(text.split())
            begins = text[-1:].isspace()
        elif begins:
            words.append(None)
            begins = False
        elif words:
            words.pop()
    return words
