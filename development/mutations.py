"""Ways to damage a file, drawn by a random generator: the same generator in the same state damages alike.

Works on bytes and lines; it knows nothing of what is made of them.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

LONGEST: Final = (8_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000, 40_000)
"""Bytes of a damaged file at most, drawn for a project: what is larger is cut, so that very many are read."""
NAME: Final = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{2,}")
NUMBER: Final = re.compile(rb"\b\d+\b")

PIECES: Final = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9f\x92", b"\r", b"\x0c", b"\x1b[2J", b"\x85",
    "\u202e\u2066\u200b\u2028".encode(), "\U000e0041".encode(), b"\\", b'"', b"'", b'"""', b"`", b"${", b"{{", b"}}",
    b"{", b"}", b"(", b")", b"[", b"]", b"<", b">", b"</script>", b"<!--", b"/*", b"*/", b"//", b"#", b"\n\t", b":",
    b"&a *a", b"!!python/object:os.system", b"---\n", b"<<: *x", b"lambda: ", b"async ", b"await ", b"yield ", b"*",
    b"**", b"...", b"?.", b"=>", b":=", b"@", b"del ", b"global x\n", b"return\n", b"while True:\n",
    b"export * from './x'\n", b"from . import *\n", b"import main\n", b"self.", b"this.", b"%s", b"f'{x!r:{y}}'",
    b"0x", b"1e999", b"-", b"9" * 400, b"(" * 300, b"[" * 300, b'{"a":' * 300, b"-" * 300, b"not " * 200,
    b"a." * 300, b"- " * 200, b"`${" * 100, b"if x:\n ", b"else " * 50, b"<a>" * 100, b"x if x else " * 100,
    b"x => " * 100, b"await " * 100, b" " * 2000,
)  # fmt: skip
"""What is put in: broken encodings, controls, halves of syntax, and deep nests of each."""

NUMBERS: Final = (
    b"0",
    b"-1",
    b"1",
    b"2",
    b"1_000",
    b"1e308",
    b"1e999",
    b"0x7fffffffffffffff",
    b"9" * 5000,
    b"08",
    b"NaN",
)

Mutation: TypeAlias = "Callable[[Random, bytes, bytes], bytes]"
"""Makes other bytes of a file, and of another file of the same project."""


class Sample(NamedTuple):
    """A file of a project, as it was found: its bytes, or where they are read."""

    path: str
    held: bytes | Path

    def data(self, longest: int) -> bytes:
        """Its first bytes."""
        if isinstance(self.held, bytes):
            return self.held[:longest]
        with self.held.open("rb") as file:
            return file.read(longest)


def damaged(random: Random, sample: Sample, others: Sequence[Sample], longest: int) -> bytes:
    """The file after one to three mutations: never what it was."""
    before = data = sample.data(longest)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        mutation = random.choice(MUTATIONS)
        data = mutation(random, data, random.choice(others).data(longest))[:longest]
    while data == before:
        data = (random.choice(PIECES) + data)[:longest]
    return data


# ---------------------------------------------------------------------------------------------------------------- bytes
def truncate(random: Random, data: bytes, _: bytes) -> bytes:
    """The beginning."""
    return data[: random.randint(0, len(data))]


def behead(random: Random, data: bytes, _: bytes) -> bytes:
    """The end."""
    return data[random.randint(0, len(data)) :]


def flip(random: Random, data: bytes, other: bytes) -> bytes:
    """Some bits turned over."""
    del other
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 30)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def insert(random: Random, data: bytes, other: bytes) -> bytes:
    """Pieces put in at some places."""
    del other
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randint(0, len(data))
        data = data[:at] + random.choice(PIECES) * random.choice((1, 1, 1, 20)) + data[at:]
    return data


def remove(random: Random, data: bytes, _: bytes) -> bytes:
    """A stretch left out."""
    start = random.randint(0, len(data))
    return data[:start] + data[start + random.choice((1, 1, 10, 300)) :]


def splice(random: Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one file and the end of the other."""
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def recode(random: Random, data: bytes, _: bytes) -> bytes:
    """Another encoding, with or without a mark that says so."""
    text = data.decode("utf-8", "replace")
    coded = text.encode(
        random.choice(("utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-7", "cp037")), "replace"
    )
    marks = (
        b"",
        b"",
        codecs.BOM_UTF8,
        codecs.BOM_UTF16_LE,
        codecs.BOM_UTF16_BE,
        b"# -*- coding: latin-1 -*-\n",
        b"# coding: rot13\n",
    )
    return random.choice(marks) + coded


def line_ends(random: Random, data: bytes, _: bytes) -> bytes:
    """Other ends of lines."""
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\x0c\n", "\u2028".encode(), b"\\\n", b" ")))


# ---------------------------------------------------------------------------------------------------------------- lines
def shuffle(random: Random, data: bytes, _: bytes) -> bytes:
    """Lines in another order: all of them, or a few neighbours."""
    lines = data.split(b"\n")
    start = random.randrange(len(lines))
    end = random.choice((len(lines), start + 5))
    part = lines[start:end]
    random.shuffle(part)
    return b"\n".join([*lines[:start], *part, *lines[end:]])


def repeat(random: Random, data: bytes, _: bytes) -> bytes:
    """A block of lines, many times."""
    lines = data.split(b"\n")
    start = random.randrange(len(lines))
    block = lines[start : start + random.choice((1, 1, 5, 40))]
    return b"\n".join([*lines[:start], *block * random.choice((2, 2, 3, 60)), *lines[start:]])


def leave_out(random: Random, data: bytes, _: bytes) -> bytes:
    """Some lines left out."""
    share = random.choice((0.02, 0.1, 0.5))
    return b"\n".join(line for line in data.split(b"\n") if random.random() > share)


def indent(random: Random, data: bytes, _: bytes) -> bytes:
    """Lines moved in or out, so that blocks end elsewhere."""
    lines = data.split(b"\n")
    start = random.randrange(len(lines))
    for at in range(start, min(len(lines), start + random.choice((1, 5, 40)))):
        lines[at] = random.choice((b"    " + lines[at], b"\t" + lines[at], lines[at].lstrip(), lines[at][1:]))
    return b"\n".join(lines)


# ---------------------------------------------------------------------------------------------------------------- words
def rename(random: Random, data: bytes, other: bytes) -> bytes:
    """One name put for another, everywhere or once: what defines itself, derives from itself, calls itself."""
    names = sorted({*NAME.findall(data), *NAME.findall(other)[:20]})
    if not names:
        return data
    old, new = random.choice(names), random.choice(names)
    return re.sub(rb"\b" + old + rb"\b", new, data, count=random.choice((0, 1)))


def renumber(random: Random, data: bytes, _: bytes) -> bytes:
    """Other numbers."""
    return NUMBER.sub(lambda found: random.choice(NUMBERS) if random.random() < 0.3 else found[0], data)  # noqa: PLR2004


def requote(random: Random, data: bytes, _: bytes) -> bytes:
    """One kind of bracket or quote put for another, at some places."""
    marks = b"()[]{}\"'`,:;="
    changed = bytearray(data)
    places = [at for at, byte in enumerate(changed) if byte in marks]
    for at in random.sample(places, min(len(places), random.choice((1, 3, 20)))):
        changed[at] = random.choice(marks)
    return bytes(changed)


MUTATIONS: Final[tuple[Mutation, ...]] = (
    truncate, behead, flip, insert, remove, splice, recode, line_ends, shuffle, repeat, leave_out, indent, rename,
    rename, renumber, requote,
)  # fmt: skip
