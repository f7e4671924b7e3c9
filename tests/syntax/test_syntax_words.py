"""The words of the IR: each is given by some lowering, and nobody matches on another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import agent_architecture
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse

SOURCES: Final = Path(agent_architecture.__path__[0])
CODE: Final = (
    (Language.PYTHON, "a and b or not c\na == b != c < d <= e > f >= g in h is i\n"),
    (Language.PYTHON, "a + b - c * d / e // f % g ** h @ i << j >> k & l | m ^ ~n - -o + +p\n"),
    (Language.PYTHON, "assert a\ndel a[0]\nf(...)\nx = " + "1" * 5000 + "\nf(a b)\n"),
    (Language.PYTHON, f"{'(' * 400}1{')' * 400}\n" + "x = " + "[" * 400 + "]" * 400 + "\n"),
    (Language.PYTHON, "for in y:\n    pass\nif :\n    pass\nx = a if else b\ny = not\nz = a +\n"),
    (Language.JAVASCRIPT, "a ?? b; a instanceof b; a >>> b; typeof a; void a(); delete a.b; if () {}\n"),
    (Language.TYPESCRIPT, 'let a: Order["id"] | (b: string) => number;\ninterface C { d(e: string): number }\n'),
    (Language.PROMPT, "{{ a | upper }}{% if a %}{% endif %}"),
)
"""Code in which every word occurs."""
MATCHING: Final = [file for room in ("names", "semantics") for file in sorted((SOURCES / room).rglob("*.py"))]
ENUMERATIONS: Final = frozenset({("Operator", "op"), ("Assign", "op"), ("Opaque", "kind")})


def declared_words() -> dict[tuple[str, str], frozenset[str]]:
    """The words of each field of a node that is declared with them: `kind: Lit["while", "do", …]`."""
    found = {}
    for file in sorted((SOURCES / "syntax").glob("ir_*.py")):
        for cls in (node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ClassDef)):
            for field in (each for each in cls.body if isinstance(each, ast.AnnAssign)):
                hint = ast.unparse(field.annotation)
                if hint.startswith("Lit["):
                    found[cls.name, ast.unparse(field.target)] = frozenset(ast.literal_eval(f"({hint[4:-1]},)"))
    return found


WORDS: Final = declared_words()


def nodes() -> Iterator[ir.Node]:
    for language, code in CODE:
        module = parse(SourceFile("a", language, Role.APP, code.encode()))
        for scope in (module, *module.index.classes, *module.index.functions):
            yield from ir.walk(*scope.body)


def test_every_operator_is_given_by_a_lowering() -> None:
    given = {node.op for node in nodes() if isinstance(node, ir.Operator)}
    assert set(ir.Op) - given <= {ir.Op.UNREADABLE}


def test_every_kind_without_a_form_is_given_by_a_lowering() -> None:
    given = {node.kind for node in nodes() if isinstance(node, ir.Opaque)}
    assert set(ir.OpaqueKind) - given == set()


def test_nobody_matches_on_a_word_that_no_lowering_gives() -> None:
    """Operators and kinds are matched as members of their enumerations, other words are among those that a node has."""
    assert [found for file in MATCHING for found in unknown_words(file)] == []


def unknown_words(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for name, field, word in matched(node):
            if (name, field) in ENUMERATIONS or ((name, field) in WORDS and word not in WORDS[name, field]):
                yield f"{file.relative_to(SOURCES)}:{getattr(node, 'lineno', 0)}: {name}.{field} is never {word!r}"


def matched(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """The constant words of a class pattern on a node of the IR, and of a comparison with an operator."""
    if isinstance(node, ast.MatchClass):
        name = ast.unparse(node.cls).removeprefix("ir.")
        for field, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            whole = [pattern, *(pattern.patterns if isinstance(pattern, ast.MatchOr) else ())]
            inner = [each.pattern if isinstance(each, ast.MatchAs) else each for each in whole]
            parts = [part for each in inner for part in (each.patterns if isinstance(each, ast.MatchOr) else [each])]
            values = [part.value for part in parts if isinstance(part, ast.MatchValue)]
            yield from ((name, field, word) for word in texts(values))
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(isinstance(side, ast.Attribute) and side.attr == "op" for side in sides):
            yield from (("Operator", "op", word) for word in texts(sides))


def texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        inner = node.elts if isinstance(node, (ast.Set, ast.Tuple, ast.List)) else [node]
        yield from (one.value for one in inner if isinstance(one, ast.Constant) and isinstance(one.value, str))


@pytest.mark.parametrize("code", [
    'match n:\n    case ir.Operator(op="not in"):\n        pass',
    'match n:\n    case ir.Operator(op="and" | "&&" as op):\n        pass',
    'match n:\n    case ir.Opaque(kind="delete"):\n        pass',
    'match n:\n    case ir.Loop(kind="until"):\n        pass',
    'x = n.op in {"===", ir.Op.EQ}',
])  # fmt: skip
def test_a_word_that_no_lowering_gives_is_found(tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_syntax_words.SOURCES", tmp_path)
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    assert list(unknown_words(tmp_path / "a.py"))
