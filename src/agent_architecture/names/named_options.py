"""Which options the project's files name. A mapping that the project builds by keys that cannot be read has no key that
is written nowhere: whoever sets it from a list of fields, a row of a database or a request writes its name somewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Unknown
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Entries

ELSEWHERE: Final = ("an import that is not part of the project", "the caller of")
"""How the reasons of values begin that come from code which is not here."""
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")


def may_be_set(program: Program, option: str) -> bool:
    """Whether some code or configuration file has the name of an option, in this writing (`maxSteps`) or the other
    (`max_steps`). Prose and tests do not count.
    """
    return program.once(_is_written, option)


def is_given_elsewhere(program: Program, mapping: Entries) -> bool:
    """Whether code that is not here adds to a mapping: what it sets, it names where nobody looks."""
    spread = (e.value for e in mapping.node.entries if e.key is None) if isinstance(mapping.node, ir.Map) else ()
    return any(
        isinstance(value, Unknown) and value.why.startswith(ELSEWHERE)
        for part in spread
        for value in program.value_of(part)
    )


def _is_written(program: Program, option: str) -> bool:
    program.rests.read |= program.rests.everything
    writings = {writing.encode() for writing in (option, _snake(option), _camel(option))}
    files = (f for f in program.table.files() if f.language is not Language.MARKDOWN and f.role is not Role.TEST)
    return any(writing in file.data for file in files for writing in writings)


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
