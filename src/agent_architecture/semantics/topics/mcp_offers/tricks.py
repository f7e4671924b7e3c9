"""What a text does to a model that reads it, besides what it describes: patterns of poisoned definitions.

Of one text alone; where it stands is for `offers`. A text that speaks of such phrases, in quotes or as what something
looks for, does none of it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from agent_architecture.model.offers import Trick
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_I: Final = re.IGNORECASE
_USER: Final = r"(?:the |your |any |to )*(?:end[- ]?)?(?:users?|humans?|persons?|people|customers?|operators?)"
_NOT: Final = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|avoid)"

PATTERNS: Final = (
    (Trick.OVERRIDE, regex(
        r"\b(?:ignore|disregard|forget|override|bypass|discard)\b(?: \w+){0,3} "
        r"\b(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|safety)\b"
        r"(?: \w+){0,2} (?:instructions?|prompts?|rules?|messages?|directions?|guidelines?|directives?|constraints?)",
        _I)),
    (Trick.OVERRIDE, regex(
        r"\b(?:ignore|disregard|forget) (?:all|any|every|your)(?: of)?(?: the)?(?: other| your)? "
        r"(?:instructions?|rules?|guidelines?|restrictions?|safety \w+)", _I)),
    (Trick.OVERRIDE, regex(
        r"\byou are now (?:in )?(?:a |an |the )?(?:\w+ )?(?:mode|dan|unrestricted|jailbroken)\b", _I)),
    (Trick.CONCEAL, regex(
        rf"\b{_NOT} (?:\w+ ){{0,3}}?(?:tell|mention|inform|notify|alert|warn|disclose|reveal)(?:ing)?\b"
        rf"[^.!?]{{0,40}}?\b{_USER}\b", _I)),
    (Trick.CONCEAL, regex(
        rf"\b{_NOT} (?:\w+ ){{0,2}}?(?:mention|disclose|reveal|explain|talk about|acknowledge)(?:ing)? "
        r"(?:this|these|that you|any of this|the (?:above|existence of|fact))\b", _I)),
    (Trick.CONCEAL, regex(
        r"\bwithout (?:\w+ ){0,2}?(?:telling|informing|notifying|asking|alerting|mentioning|the knowledge of)\b"
        rf"[^.!?]{{0,30}}?\b{_USER}\b", _I)),
    (Trick.CONCEAL, regex(
        rf"\b(?:keep|hide|conceal)(?:ing)?\b[^.!?]{{0,40}}\b(?:from|secret from|hidden from) {_USER}\b", _I)),
    (Trick.CONCEAL, regex(
        rf"\b{_USER} (?:must|should|may|can|need)(?: not|n'?t) (?:know|see|notice|find out|be (?:told|informed|aware))",
        _I)),
    (Trick.MARKUP, regex(
        r"< ?/? ?(?:important|critical|secret|hidden|system|sys|admin|override|instructions?_?for_?(?:ai|llm|model)s?"
        r"|system[-_ ]?(?:prompt|message|note|instructions?)) ?>", _I)),
    (Trick.MARKUP, regex(
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id)\|?>?|\[/?INST\]|<</?SYS>>")),
    (Trick.SENDS, regex(
        r"\b(?:must|always|also|first|should|then|please|silently|secretly)\b[^.!?]{0,60}"
        r"\b(?:send|forward|post|upload|bcc|cc|copy|exfiltrate|transmit|report|submit)\b"
        r"[^!?]{0,80}\bto:? (?:\S+ ){0,3}?(?:[\w.+-]+@[\w-]+\.\w+|https?://(?!localhost|127\.)\S+)", _I)),
    (Trick.SENDS, regex(r"\b(?:bcc|cc|carbon[- ]copy)\b[^.!?]{0,30}[\w.+-]+@[\w-]+\.\w+", _I)),
    (Trick.OTHER_TOOLS, regex(
        r"\b(?:before|prior to|instead of) (?:using|calling|invoking|running|executing|you (?:use|call|invoke)) "
        r"(?:any|every|all|each)(?: of)?(?: the)?(?: other)? tools?\b(?! (?:of|in|from) this)", _I)),
    (Trick.OTHER_TOOLS, regex(
        r"\bwhen(?:ever)? (?:any |every |each |an? )?(?:other|another) (?:mcp )?(?:tool|server)s?\b"
        r"[^.!?]{0,60}\b(?:is|are|gets?) (?:called|used|invoked|available)", _I)),
    (Trick.OTHER_TOOLS, regex(
        r"\bwhen(?:ever)?\b[^.!?]{0,60}\btools? (?:of|from|on) (?:any )?(?:an)?other (?:mcp )?servers?\b", _I)),
    (Trick.OTHER_TOOLS, regex(
        r"\b(?:chang|modif|alter|overrid|replac)\w+ (?:the )?(?:behaviou?r|results?|outputs?|rules?) (?:of|for) "
        r"(?:the )?[`'\"]?\w+[`'\"]? tools?\b", _I)),
    (Trick.OTHER_TOOLS, regex(
        r"\b(?:never|do not|don'?t) (?:use|call|invoke)\b[^.!?]{0,30}"
        r"\b(?:other|another|built-?in|native|default|any|analysis|repl)\b[^.!?]{0,20}\btools?\b", _I)),
    (Trick.ENCODED, regex(
        r"(?<![\w/+=.:-])(?=[A-Za-z0-9+/]*[0-9])(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])"
        r"[A-Za-z0-9+/]{64,}={0,2}(?![\w/+=-])")),
)  # fmt: skip
"""What the words of a description do, in the order in which they are told; line breaks count as spaces."""

AS_WRITTEN: Final = (
    (Trick.MARKUP, regex(
        r"(?:^|\n)[ \t]*#{0,4}[ \t]*\[?(?:SYSTEM|ADMIN|DEVELOPER)"
        r"(?: (?:MESSAGE|PROMPT|OVERRIDE|NOTE|INSTRUCTIONS?))?\]?:\s")),
    (Trick.OUT_OF_SIGHT, regex(r"<!--(?:(?!-->)[\s\S]){8,}-->")),
    (Trick.OUT_OF_SIGHT, regex(r"(?<=\S)[ \t]{120,}(?=\S)|(?<=\S)(?:[ \t]*\n){20,}[ \t]*(?=\S)")),
)  # fmt: skip
"""What its layout does."""

HIDDEN_FILES: Final = regex(
    r"~/\.(?:ssh|aws|cursor|kube|gnupg|config|netrc|env|npmrc|docker|claude)\b|\bid_(?:rsa|ed25519)\b"
    r"|/etc/(?:passwd|shadow)\b|\.aws/credentials|\bmcp\.json\b|(?<![\w.])\.env\b(?! var)|\bprivate keys?\b"
    r"|\bssh keys?\b|\binternal://\w+",
    _I,
)
TAKING: Final = regex(r"\b(?:read|open|load|access|cat|fetch|get|retrieve|includes?|contents?)\b", _I)
GIVING: Final = regex(
    r"\b(?:pass|send|includ|provid|put|attach|forward|append|copy|paste|insert|plac)(?:e|ing|es)?\b", _I
)
ORDERING: Final = regex(r"\b(?:must|always|first|before|need to|required|should|make sure|otherwise|you)\b", _I)
"""What orders a model to take something that is secret and to give it away, instead of naming a default."""

CONVERSATION: Final = regex(
    r"\b(?:entire|full|complete|whole|all|raw|verbatim)(?: of)?(?: the| your| our)?(?: previous| prior| past)? "
    r"(?:conversation|chat|dialog(?:ue)?|message)s?(?: history| so far| transcript| context)?\b"
    r"|\b(?:your|the|full|entire|current) system prompt\b|\byour (?:initial |original )?instructions\b",
    _I,
)
COLLECTING: Final = regex(r"\b(?:include|pass|provide|send|put|copy|paste|contain|repeat|write|fill)", _I)

SPOKEN_OF: Final = regex(
    r"\b(?:detect|scan|find|flag|block|reject|identif|recogni|screen|look(?:s|ing)? for|check|such as|e\.g\."
    r"|for example|like|attack|inject|jailbreak|malicious|phrases?|patterns?|pretend|claim)[^.!?]{0,40}$",
    _I,
)
QUOTES: Final = "\"'`\u201c\u2018\u00ab"

BLINDING: Final = frozenset([0x200B, 0x2060, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x180E, 0x00AD])
TAGS: Final = range(0xE0000, 0xE0080)
SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
JOINERS: Final = (0x200C, 0x200D)
FLAG: Final = 0x1F3F4
MARK: Final = "\ufeff"
"""At the beginning it says how a file is encoded."""
LAYOUT: Final = "\t\n\r\f\v"
UNUSUAL: Final = regex(r"[^ -~\t\n\r\f\v]")
"""Whatever is no sign that a keyboard has: all that is not shown is among it."""
SHORT: Final = 60


class Told(NamedTuple):
    """A trick, and the words that do it."""

    trick: Trick
    quote: str


def tricks(text: str, *, strict: bool = False) -> Iterator[Told]:
    """What a text does. `strict`: a text that may order the model about (a prompt, an answer), of which only what no
    honest one says counts.
    """
    hidden = invisible(text)
    if hidden:
        yield Told(Trick.INVISIBLE, hidden)
    flat = " ".join(text.split())
    said = (*((one, flat) for one in PATTERNS), *((one, text) for one in AS_WRITTEN))
    for (trick, pattern), where in said:
        if strict and trick not in PLAIN:
            continue
        found = next((one for one in pattern.finditer(where) if not _is_spoken_of(where, one)), None)
        if found is not None:
            yield Told(trick, _short(found[0]))
    if not strict:
        yield from _asks(flat)


PLAIN: Final = frozenset({Trick.OVERRIDE, Trick.CONCEAL})
"""What no honest prompt or answer says either."""


def _asks(text: str) -> Iterator[Told]:
    """What a text orders the model to hand over."""
    for found in HIDDEN_FILES.finditer(text):
        around = text[max(0, found.start() - 250) : found.end() + 250]
        if all(pattern.search(around) for pattern in (TAKING, GIVING, ORDERING)) and not _is_spoken_of(text, found):
            yield Told(Trick.CONFIDENTIAL, _short(found[0]))
            break
    for found in CONVERSATION.finditer(text):
        around = text[max(0, found.start() - 60) : found.end() + 20]
        if COLLECTING.search(around) and not _is_spoken_of(text, found):
            yield Told(Trick.COLLECTS, _short(found[0]))
            break


def _is_spoken_of(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 60) : found.start()]
    return before.endswith(tuple(QUOTES)) or SPOKEN_OF.search(before) is not None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= SHORT else f"{words[: SHORT - 1]}…"


# ------------------------------------------------------------------------------------------------- what is not seen
def invisible(text: str) -> str:
    """The name of the first character that is not shown and does not belong to what stands beside it."""
    return next((_named(one[0]) for one in UNUSUAL.finditer(text) if _is_unseen(text, one.start(), one[0])), "")


def _is_unseen(text: str, number: int, char: str) -> bool:
    code, before = ord(char), text[number - 1] if number else ""
    if code in BLINDING:
        return True
    if char == MARK:
        return number > 0
    if code in TAGS:
        return not _in_flag(text, number)
    if any(code in block for block in SELECTORS):
        return not _is_pictured(before)
    if code in JOINERS:
        return not before or before.isascii()
    return unicodedata.category(char) == "Cc" and char not in LAYOUT


def _in_flag(text: str, number: int) -> bool:
    """Tags after a black flag are the flag of a region."""
    while number and ord(text[number]) in TAGS:
        number -= 1
    return ord(text[number]) == FLAG


def _is_pictured(before: str) -> bool:
    return bool(before) and (not before.isascii() or before in "0123456789#*") and ord(before) not in SELECTORS[0]


def _named(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'control character').lower()}"


def lookalike(name: str) -> str:
    """The first letter of a name that belongs to another alphabet than its Latin ones."""
    alphabets = {char: unicodedata.name(char, "").partition(" ")[0] for char in name if char.isalpha()}
    if "LATIN" not in alphabets.values():
        return ""
    other = next((char for char, alphabet in alphabets.items() if alphabet in {"CYRILLIC", "GREEK", "ARMENIAN"}), "")
    return _named(other) if other else ""
