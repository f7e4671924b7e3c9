"""Python source to the IR: parse, index, and lower the rest on demand.

Knows the steps; python_expressions, python_patterns, python_statements and python_definitions know the constructs.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Notice, SourceFile, Span
from agent_architecture.syntax.cst import Text, syntax_errors
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.python_expressions import EXPRESSIONS
from agent_architecture.syntax.python_grammar import EXTRAS, numbers, parser, table
from agent_architecture.syntax.python_import_names import own_names
from agent_architecture.syntax.python_index import index_python
from agent_architecture.syntax.python_lowering import Lowering, Tables, block
from agent_architecture.syntax.python_patterns import PATTERNS
from agent_architecture.syntax.python_statements import STATEMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_RENAMES: Final[Mapping[str, str]] = {}


def lower_python(file: SourceFile) -> Module:
    """The module of a Python file: the index at once, everything else when it is asked for.

    Columns count code points. A file that is not UTF-8 is read as Latin-1 (PEP 263 names its encoding; the structure is
    the same in all that are in use), which a notice says. Syntax errors are notices, too; what stands around is read.
    """
    try:
        file.data.decode("utf-8")
    except UnicodeDecodeError:
        notice = Notice(file.path, None, "not UTF-8: read as Latin-1", incomplete=False)
        return lower_text(file, Text(file.path, file.data.decode("latin-1").encode("utf-8")), notices=(notice,))
    return lower_text(file, Text(file.path, file.data))


def lower_text(file: SourceFile, text: Text, span: Span | None = None, notices: tuple[Notice, ...] = ()) -> Module:
    """The module of a text that was taken from `file`: the whole of it, or a notebook's code (with its span)."""
    root = parser().parse(text.data).root_node
    end = span or text.span(root)
    module = Module(file.path, file.language, file.role, Span(file.path, 1, 1, end.end_line, end.end_col))
    low = Lowering(text, module, root.has_error, _tables(), {}, {}, own_names(text, root) or _NO_RENAMES, set(), set())
    index = index_python(low, root)
    return module.complete(index, partial(block, low, root), (*notices, *syntax_errors(text, root)))


@cache
def _tables() -> Tables:
    return Tables(table({**EXPRESSIONS, **PATTERNS}), table(STATEMENTS), numbers(EXTRAS))
