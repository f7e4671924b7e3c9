"""One refusal, however it is written, is one refusal: whoever asks what code leaves by says the same of each.

`tests/control` says so of checks of a tool's arguments; here stand the others who ask: breakers, uses of answers, the
word of a person, words of a list, settings, memories. The pages have the code, the ways stand here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.recursion import with_room
from agent_architecture.registry import judge_one, load_one
from agent_architecture.semantics.topics.credentials.optional_checks import asks_where_set
from agent_architecture.semantics.topics.evaluations.gates import has_gate
from page_checks import understand
from pages import Section, pages_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

DETECTORS: Final = {
    "a breaker": "circuit_breaker_absence",
    "an object that is told of failures": "circuit_breaker_absence",
    "a breaker that runs what it is given": "circuit_breaker_absence",
    "an answer that is parsed": "output_validation_gap",
    "the word of a person": "tool_approval_bypass_risk",
    "a verdict about an answer": "hallucination_propagation_risk",
    "a word of a list": "sensitive_data_exposure_gap",
}
"""Who asks about a section; about settings, gates and memories the rooms are asked."""
FILES: Final = {"python": "main.py", "typescript": "main.ts"}
REQUIRED: Final = {
    "python": {
        "a test": "if not ({test}):\n    raise RuntimeError('no')",
        "the other side of a test": "if {test}:\n    pass\nelse:\n    raise RuntimeError('no')",
        "an assertion": "assert {test}",
        "the end of the program": "if not ({test}):\n    sys.exit(1)",
        "a match": "match {test}:\n    case True:\n        pass\n    case _:\n        raise RuntimeError('no')",
        "a helper that says yes or no": "if not {owner}is_fine({given}):\n    raise RuntimeError('no')",
        "a helper that raises": "{owner}require_fine({given})",
        "a variable": "fine = {test}\nif not fine:\n    raise RuntimeError('no')",
    },
    "typescript": {
        "a test": "if (!({test})) throw new Error('no');",
        "the other side of a test": "if ({test}) {{\n}} else {{\n  throw new Error('no');\n}}",
        "the end of the program": "if (!({test})) process.exit(1);",
        "a switch": "switch ({test}) {{\n  case true:\n    break;\n  default:\n    throw new Error('no');\n}}",
        "a switch of tests": "switch (true) {{\n  case !({test}):\n    throw new Error('no');\n}}",
        "a helper that says yes or no": "if (!{owner}isFine({given})) throw new Error('no');",
        "a helper that throws": "{owner}requireFine({given});",
        "a variable": "const fine = {test};\nif (!fine) throw new Error('no');",
    },
}
ASKED: Final = {
    "python": {
        "a test": ("", "{test}"),
        "a helper that says yes or no": ("", "{owner}is_fine({given})"),
        "a variable": ("fine = {test}", "fine"),
    },
    "typescript": {
        "a test": ("", "{test}"),
        "a helper that says yes or no": ("", "{owner}isFine({given})"),
        "a variable": ("const fine = {test};", "fine"),
    },
}
NOTHING: Final = {
    "python": {
        "nothing": "",
        "a test that only prints": "if not ({test}):\n    print('unusual')",
        "a match that only prints": "match {test}:\n    case True:\n        pass\n"
        "    case _:\n        print('unusual')",
        "a helper that nobody heeds": "print({owner}is_fine({given}))",
    },
    "typescript": {
        "nothing": "",
        "a test that only logs": "if (!({test})) console.log('unusual');",
        "a switch that only logs": "switch ({test}) {{\n  case true:\n    break;\n"
        "  default:\n    console.log('unusual');\n}}",
        "a helper that nobody heeds": "console.log({owner}isFine({given}));",
    },
}
HELPERS: Final = {
    "python": "\n\ndef is_fine({given}):\n    return {test}\n\n\n"
    "def require_fine({given}):\n    if not ({test}):\n        raise RuntimeError('no')\n\n\n",
    "typescript": "\nfunction isFine({given}) {{\n  return {test};\n}}\n\n"
    "function requireFine({given}) {{\n  if (!({test})) throw new Error('no');\n}}\n\n",
}
TYPED: Final = {"python": "", "typescript": ": any"}
METHODS: Final = {
    "python": "    def is_fine(self):\n        return {test}\n\n"
    "    def require_fine(self):\n        if not ({test}):\n            raise RuntimeError('no')\n\n",
    "typescript": "  isFine() {{\n    return {test};\n  }}\n\n"
    "  requireFine() {{\n    if (!({test})) throw new Error('no');\n  }}\n\n",
}
"""The same for what an object asks of itself."""
OWN: Final = frozenset({"self", "this"})
LINE: Final = re.compile(r"^(?P<indent> *)REQUIRE\((?P<test>.+), (?P<given>\w+)\);?$", re.MULTILINE)
TEST: Final = re.compile(
    r"^(?P<indent> *)(?P<head>.*)WHERE\((?P<test>.+?), (?P<given>\w+)\)(?P<rest>.*)$", re.MULTILINE
)
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}
SECTIONS: Final = {(name, each.name): each for name, page in PAGES.items() for each in page.sections if each.blocks}
WAYS: Final = [
    (language, name, way)
    for (language, name), section in SECTIONS.items()
    for way in (REQUIRED if LINE.search(section.blocks[0].text) else ASKED)[language]
]


@pytest.mark.parametrize(("language", "name", "way"), WAYS)
def test_it_counts_the_same_as(language: str, name: str, way: str) -> None:
    assert said_of(language, name, way) == said_of(language, name, "a test")


@pytest.mark.parametrize(
    ("language", "name"), [key for key, section in SECTIONS.items() if LINE.search(section.blocks[0].text)]
)
def test_it_counts(language: str, name: str) -> None:
    nothing, *lies = (said_of(language, name, way) for way in NOTHING[language])
    assert lies == [nothing] * len(lies)
    assert nothing != said_of(language, name, "a test")


@pytest.mark.parametrize("language", PAGES)
def test_who_is_asked_where_a_setting_is_there(language: str) -> None:
    assert said_of(language, "a setting without which nothing starts", "a test") == "[False]"
    assert said_of(language, "a setting without which nobody is asked", "a test") == "[True]"
    assert said_of(language, "a conversation that begins once", "a test") == "1"


@cache
def said_of(language: str, name: str, way: str) -> str:
    """What is said of a section whose refusal is written in one way."""
    with TemporaryDirectory() as folder:
        (Path(folder) / FILES[language]).write_text(written(SECTIONS[language, name], language, way), encoding="utf-8")
        if name in DETECTORS:
            system, _ = understand(Path(folder))
            verdicts = judge_one(load_one(DETECTORS[name]), system).verdicts
            return str(sorted((verdict.risk for verdict in verdicts), key=str))
        if "gate" in name:
            return str(with_room(lambda: of_checks(Path(folder), has_gate)))
        if "setting" in name:
            return str(with_room(lambda: of_checks(Path(folder), asks_where_set)))
        return str(len(understand(Path(folder))[0].memories))


def of_checks(folder: Path, asked: Callable[[Context, ir.Function], bool]) -> list[bool]:
    """What is said of each function named `check`: whether it asks only where its setting is there, or is a gate."""
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    known, _ = pipeline.understand_with(walked, packs, versions, program)
    functions = (each for module in program.modules for each in module.index.functions)
    return [asked(known.context, each) for each in functions if each.name == "check"]


def written(section: Section, language: str, way: str) -> str:
    """The code of a section with its refusal written in one way."""
    code = section.blocks[0].text
    line = LINE.search(code)
    if line is not None:
        form = (REQUIRED[language] | NOTHING[language])[way]
        return _with_helper(code, line, language, form, form)
    test = TEST.search(code)
    assert test is not None
    before, form = ASKED[language][way]
    whole = f"{before}\n" * bool(before) + f"{test['head'].replace('{', '{{')}{form}{test['rest'].replace('{', '{{')}"
    return _with_helper(code, test, language, whole, form)


def _with_helper(code: str, found: re.Match[str], language: str, form: str, asked: str) -> str:
    given, test = found["given"], found["test"]
    is_own = given in OWN
    lines = form.format(
        test=test, given="" if is_own or given.isupper() else given, owner=f"{given}." if is_own else ""
    ).splitlines()
    code = code.replace(found[0], "\n".join(found["indent"] + line for line in lines))
    if "{given}" not in asked:
        return code
    if is_own:
        place = re.search(r"^(?:export )?class (?:Shop|Breaker|Clerk).*\n", code, re.MULTILINE)
        assert place is not None
        return code[: place.end()] + METHODS[language].format(test=test) + code[place.end() :]
    helper = HELPERS[language].format(given="" if given.isupper() else f"{given}{TYPED[language]}", test=test)
    places = re.finditer(r"^(?:(?:import|from) .+|(?:const )?(?:VALID|TOKEN) = .+)\n", code, re.MULTILINE)
    last = max(each.end() for each in places)
    return code[:last] + helper + code[last:]
