"""Texts that are put together: what stands between their constant parts."""

from pathlib import Path

import pytest
from values_project import asked, open_program

from agent_architecture.names.string_parts import places
from agent_architecture.syntax.dump import dump

PYTHON = [
    "show(f'<a>{x}</a>')",
    "show('<a>' + x + '</a>')",
    "show('<a>%s</a>' % x)",
    "show('<a>%(k)s</a>' % {'k': x})",
    "show('<a>{}</a>'.format(x))",
    "show('<a>{k}</a>'.format(k=x))",
    "T = '<a>{k}</a>'\nshow(T.format(**{'k': x}))",
    "T = '''\n<a>{k}</a>\n'''\nshow(T.format(k=x).strip())",
    "show('<a>KEY</a>'.replace('KEY', x))",
    "show('\\n'.join(['<a>', x, '</a>']))",
    "parts = ['<a>']\nparts.append(x)\nparts.append('</a>')\nshow(''.join(parts))",
    "text = '<a>'\ntext += x\ntext += '</a>'\nshow(text)",
    "import textwrap\nshow(textwrap.dedent(f'<a>{x}</a>'))",
    "OPEN, CLOSE = '<a>', '</a>'\nshow(OPEN + x + CLOSE)",
]
SCRIPT = [
    "show(`<a>${x}</a>`);",
    "show('<a>' + x + '</a>');",
    "const T = '<a>{k}</a>'; show(T.replace('{k}', x));",
    "show(['<a>', x, '</a>'].join('\\n'));",
    "show(`\n<a>${x}</a>\n`.trim());",
    "let text = '<a>'; text += x; text += '</a>'; show(text);",
]


@pytest.mark.parametrize(("name", "body"), [("a.py", b) for b in PYTHON] + [("a.ts", b) for b in SCRIPT])
def test_a_part_stands_between_its_constant_texts(tmp_path: Path, name: str, body: str) -> None:
    program = open_program(tmp_path, {name: body})
    (place,) = places(program, asked(program)[0]) or ()
    assert (place.before.strip(), dump(place.expr).strip(), place.after.strip()) == ("<a>", "x", "</a>")


@pytest.mark.parametrize("body", ["show(x)", "show(1 + 2)", "show([x])", "show(x.format)", "show(wrap(x))"])
def test_what_puts_no_text_together_has_no_parts(tmp_path: Path, body: str) -> None:
    program = open_program(tmp_path, {"a.py": body})
    assert places(program, asked(program)[0]) is None


def test_doubled_braces_are_text(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"a.py": "show('{{a}} {b}'.format(a=1, b=x))"})
    (place,) = places(program, asked(program)[0]) or ()
    assert place.before == "{{a}} "
