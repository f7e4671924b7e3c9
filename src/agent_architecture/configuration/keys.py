"""Every key of a configuration file: its name, type, range, default and what it means.

The one table of them. What checks a file, the JSON Schema, the file that `init` writes and the page of the reference
are made from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

from agent_architecture.config import MAX_FILE_SIZE
from agent_architecture.contract import METRIC
from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.render.formats import FORMATS
from agent_architecture.scoring import WEIGHTS

Default: TypeAlias = "str | int | float | bool | None"

LANGUAGES: Final = ("auto", "python", "typescript")
OPERATORS: Final = ("==", "!=", "<", "<=", ">", ">=")


class Kind(Enum):
    """What may stand as a key's value; the text is how sentences call it."""

    SECTION = "a section of keys"
    LIST = "a list of sections"
    TRUTH = "true or false"
    TEXT = "a text"
    WORD = "a word"
    WORDS = "a word or a list of words"
    GLOB = "a glob in .gitignore syntax"
    GLOBS = "a list of globs in .gitignore syntax"
    NUMBER = "a number"
    WHOLE = "a whole number"
    RULE = "a rule id or a key"
    DATE = "a date (2027-01-31)"


class Key(NamedTuple):
    """One key. `path` is its place: dots between sections, `[]` after the name of a list of sections."""

    path: str
    kind: Kind
    doc: str
    default: Default = None
    words: tuple[str, ...] = ()
    least: float | None = None
    required: bool = False
    other_name: str = ""
    """A second name for the same key in its section."""
    example: str = ""
    """What a sample shows where there is no default."""

    @property
    def name(self) -> str:
        """The key as it is written in its section."""
        return self.path.rpartition(".")[2].removesuffix("[]")


def _weights(axis: str) -> Iterator[Key]:
    path = f"metrics[].config.scoring.{axis}_weights"
    yield Key(path, Kind.SECTION, f"How much each detector counts for the {axis} score; scaled to a sum of 1.")
    for name, (key, weight) in WEIGHTS[axis].items():
        yield Key(
            f"{path}.{name}",
            Kind.NUMBER,
            f"The weight of {key}.",
            weight,
            least=0,
            other_name="" if name == key else key,
        )


def _requirement(name: str, doc: str) -> Key:
    return Key(f"metrics[].config.{name}", Kind.TRUTH, f"{doc}: a risk above 0.2 is then critical.", default=False)


KEYS: Final[tuple[Key, ...]] = (
    Key("data", Kind.SECTION, "Which files are read and judged."),
    Key("data.language", Kind.WORD, "The language of the code that is judged; typescript includes JavaScript.", "auto",
        LANGUAGES),
    Key("data.include", Kind.GLOBS, "Read only what matches; nothing written: everything.", example="src/**"),
    Key("data.exclude", Kind.GLOBS, "Leave out what matches.", example="legacy/**"),
    Key("data.include_tests", Kind.TRUTH, "Judge tests, too.", default=False),
    Key("data.include_examples", Kind.TRUTH, "Judge examples, too.", default=False),
    Key("data.max_file_size", Kind.WHOLE, "Do not read larger files (bytes).", MAX_FILE_SIZE, least=1),
    Key("metrics", Kind.LIST, f"The settings of the metric {METRIC}: one entry."),
    Key("metrics[].id", Kind.WORD, "Which metric the entry is about.", None, (METRIC,), required=True),
    Key("metrics[].enabled", Kind.TRUTH, "Whether the project is judged at all.", default=True),
    Key("metrics[].config", Kind.SECTION, "How the metric judges."),
    Key("metrics[].config.languages", Kind.WORDS, "Another name for data.language.", None, LANGUAGES, example="python"),
    _requirement("require_loop_guards", "Agent runs need step limits"),
    _requirement("require_tool_policy", "Tools need a policy"),
    _requirement("require_eval_harness", "Agents need evaluations"),
    Key("metrics[].config.scoring", Kind.SECTION, "How scores come about."),
    *(key for axis in WEIGHTS for key in _weights(axis)),
    Key("policy", Kind.SECTION, "What fails a run (exit code 1)."),
    Key("policy.invariants", Kind.LIST, "What has to hold of the scores."),
    Key("policy.invariants[].metric", Kind.TEXT, "An emitted key with a number, with or without its prefix.",
        required=True, example="overall_agent_health"),
    Key("policy.invariants[].op", Kind.WORD, "How it is compared (in quotes).", None, OPERATORS, required=True,
        example=">="),
    Key("policy.invariants[].value", Kind.NUMBER, "With what it is compared.", example="0.7"),
    Key("policy.invariants[].baseline", Kind.TRUTH, "Compare with the baseline's value instead.", default=False),
    Key("policy.invariants[].severity", Kind.WORD, "A warning does not fail the run.", "error", ("error", "warning")),
    Key("policy.invariants[].message", Kind.TEXT, "What is said when it does not hold.",
        example="Ask the platform team."),
    Key("policy.baseline", Kind.SECTION, "What the result is compared with."),
    Key("policy.baseline.mode", Kind.WORD, "A tree of git, or a saved JSON report.", None, ("git", "file"),
        required=True, example="git"),
    Key("policy.baseline.ref", Kind.TEXT, "The commit, branch or tag (mode git).", example="origin/main"),
    Key("policy.baseline.path", Kind.TEXT, "The report, from this file's folder (mode file).", example="baseline.json"),
    Key("policy.fail_on", Kind.WORD, "Findings of this severity or worse fail the run.", None,
        tuple(severity.value for severity in Severity if severity is not Severity.GOOD), example="high"),
    Key("policy.require_agents", Kind.TRUTH, "A project without agent call sites fails.", default=False),
    Key("policy.fail_fast", Kind.TRUTH, "Stop at the first invariant that does not hold.", default=False),
    Key("policy.strict", Kind.TRUTH, "Exit with 3 when something was left unread.", default=False),
    Key("report", Kind.SECTION, "How the result is written, where no flag says otherwise."),
    Key("report.format", Kind.WORD, "The format; without it, what the name of the file says.", "console",
        tuple(FORMATS)),
    Key("report.file", Kind.TEXT, "Write to this file below this file's folder instead of standard output.",
        example="agents.sarif"),
    Key("ignore", Kind.LIST, "Findings that are not shown. Their risk still counts."),
    Key("ignore[].rule", Kind.RULE, "The rule whose findings are hidden.", required=True, example="loop_guard_absence"),
    Key("ignore[].path", Kind.GLOB, "In which files; without it in all.", example="demos/**"),
    Key("ignore[].reason", Kind.TEXT, "Why the finding is acceptable.", required=True,
        example="It ends when the list does."),
    Key("ignore[].until", Kind.DATE, "The last day; after it the findings are back.", example="2027-01-31"),
)  # fmt: skip


@cache
def below(path: str) -> dict[str, Key]:
    """The keys of the section at `path` ("" is the file), by each name that they may be written with."""
    prefix = f"{path}." if path else ""
    inside = [key for key in KEYS if key.path.startswith(prefix) and "." not in key.path[len(prefix) :]]
    own = [key for key in inside if key.path != path]
    return {name: key for key in own for name in (key.name, key.other_name) if name}


def section_path(key: Key) -> str:
    """What the paths of the keys inside this key begin with."""
    return f"{key.path}[]" if key.kind is Kind.LIST else key.path
