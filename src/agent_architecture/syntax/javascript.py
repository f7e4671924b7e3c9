"""JavaScript, TypeScript, JSX and TSX to IR.

Parses a file, builds its index in one walk, and leaves the lowering of bodies to whoever asks for them. Its parts:
`javascript_index` and `javascript_walk` (the index), `javascript_scopes` (functions, classes), `javascript_statements`
and `javascript_control`, `javascript_expressions` with `_operators`, `_chains`, `_leaves` and `_jsx`,
`javascript_patterns`, `javascript_types`, `javascript_modules` (imports, exports), `javascript_context` (what they
share); `javascript_cst`, `javascript_kinds`, `javascript_names` and `javascript_literals` know the syntax alone.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Language, Notice, SourceFile, Span
from agent_architecture.syntax.cst import Text, syntax_errors
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.javascript_context import Lowering
from agent_architecture.syntax.javascript_cst import has_only_harmless_errors
from agent_architecture.syntax.javascript_expressions import lower_expression
from agent_architecture.syntax.javascript_index import action_table, build_index
from agent_architecture.syntax.javascript_scopes import module_body
from agent_architecture.syntax.javascript_statements import lower_statement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Parser

    from agent_architecture.syntax.javascript_index import Action


class _Grammar(NamedTuple):
    parser: Parser
    actions: Mapping[int, Action]


@cache
def _grammar(*, is_tsx: bool) -> _Grammar:
    """The parser and the index's actions, made once."""
    import tree_sitter
    import tree_sitter_typescript

    pointer = tree_sitter_typescript.language_tsx() if is_tsx else tree_sitter_typescript.language_typescript()
    language = tree_sitter.Language(pointer)
    kinds = [language.node_kind_for_id(number) for number in range(language.node_kind_count)]
    return _Grammar(tree_sitter.Parser(language), action_table(kinds))


def lower_javascript(file: SourceFile) -> Module:
    """The module of one file. Syntax errors are notices; the rest of the file is read around them."""
    return lower_script(file, Text(file.path, file.data))


def lower_script(file: SourceFile, text: Text, span: Span | None = None, notices: tuple[Notice, ...] = ()) -> Module:
    """The module of a text that was taken from `file`: the whole of it, or a notebook's code (with its span)."""
    # `<T>x` is a cast in TypeScript and an element everywhere else: two grammars.
    grammar = _grammar(is_tsx=file.language is not Language.TYPESCRIPT)
    root = grammar.parser.parse(text.data).root_node
    module = Module(file.path, file.language, file.role, span or text.span(root))
    low = Lowering(text, module, lower_expression, lower_statement)
    index = build_index(low, root, grammar.actions)
    errors = () if has_only_harmless_errors(text, root) else syntax_errors(text, root)
    return module.complete(index, partial(module_body, low, root), (*notices, *module.notices, *errors))
