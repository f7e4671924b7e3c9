"""What a secret looks like, what it is called, and what only stands in for one. Knows no program."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS: Final = regex(
    r"\bsk-(?:proj-|ant-(?:api\d\d-)?|or-v1-|svcacct-)?[A-Za-z0-9_-]{20,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bglpat-[\w-]{20,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{20,}|\bAIza[0-9A-Za-z_-]{35}|\bhf_[A-Za-z0-9]{30,}|\bgsk_[A-Za-z0-9]{30,}"
    r"|\btvly-[A-Za-z0-9-]{20,}|\blsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}|\bsk-lf-[0-9a-f-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}"
    r"|\b[rs]k_live_[A-Za-z0-9]{16,}|\bnpm_[A-Za-z0-9]{36}|\bpypi-[\w-]{50,}|\br8_[A-Za-z0-9]{30,}"
    r"|\bpplx-[A-Za-z0-9]{30,}|\bxai-[A-Za-z0-9]{40,}"
    r"|-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----(?:\\n|\s)+[A-Za-z0-9+/=]{20,}"
    r"|\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)(?:\+\w+)?://[^\s:/@'\"]+:[^\s@/'\"{}$<>]{3,}@[^\s'\"]+"
)
"""Forms that providers give their keys, private keys, and addresses with a password."""


class Words(NamedTuple):
    """Words to look for in bytes: some in whatever case, told here in the lower one."""

    in_any_case: tuple[bytes, ...]
    as_written: tuple[bytes, ...]


HINT: Final = Words(
    (b"key", b"secret", b"token", b"pass", b"pwd", b"crede"),
    tuple(
        b"""sk- AKIA ASIA ghp_ gho_ ghu_ ghs_ ghr_ github_pat glpat xox AIza hf_ gsk_ tvly- lsv2_ SG. k_live_ npm_ pypi-
        r8_ pplx- xai- ://""".split()
    ),
)
"""A part of every text that has one of `FORMS`, and of every name in `SECRET`: cheap to look for."""
NAMED: Final = regex(
    r"""(?P<name>[A-Za-z_][\w-]*)["']?\s*(?::\s*(?:str|string|SecretStr))?\s*(?:=|:)\s*(?:SecretStr\()?["'](?P<value>[^"'\s]{8,})["']"""
)
"""Something with a name that is set to a text without spaces."""
SECRET: Final = regex(
    r"(?:^|[_-]|(?<=[a-z]))(?:(?:api|access|private|secret|signing|encryption|service|auth|master)[_-]?key|secret"
    r"|(?:access|auth|api|bearer|bot|refresh|webhook)[_-]?token|password|passwd|pwd|passphrase|credentials?)(?:[_-]?\d+)?$",
    re.IGNORECASE,
)
"""What secrets are called in code."""
VARIABLE: Final = regex(
    r"(?:API_?KEY|ACCESS_?KEY(?:_ID)?|SECRET(?:_?KEY)?|PRIVATE_?KEY|(?<!MAX_)(?<!NUM_)TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?"
    r"|AUTH_?KEY|MASTER_?KEY|SERVICE_?(?:ROLE_)?KEY|[A-Z]{2,}_KEY|_PAT)(?:_?\d+)?$"
)
"""What variables of the environment are called that hold one."""
ADDRESS: Final = regex(
    r"^(?!.*(?:PUBLIC|TURSO|LIBSQL))(?:\w+_)?(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MSSQL|MONGO(?:DB)?|NEON)_"
    r"(?:URL|URI|DSN|CONN(?:ECTION)?)$|^(?:\w+_)?CONN(?:ECTION)?_?STR(?:ING)?$"
)
"""What those are called that hold the address of a database: user and password stand in it."""
PUBLIC: Final = regex(
    r"PUBLIC|PUBLISHABLE|ANON|_PATH$|_FILE$|_NAME$|_URL$"
    r"|(?:PRIMARY|FOREIGN|UNIQUE|PARTITION|SORT|INDEX|LOOKUP|OBJECT|ROUTING|IDEMPOTENCY|CACHE|STORAGE|STATE|QUEUE|GROUP"
    r"|PROJECT|ISSUE|TICKET|BOARD|SPACE|FIELD|FEATURE|CONFIG|SITE|HOT|SHORTCUT)_?KEY$"
)
"""What is told to others, or names a thing: a row, a project of a tracker, a place in a store, a key of a keyboard."""

STAND_IN: Final = regex(
    r"your|x{3,}|\.\.\.|…|\*{3,}|<|>|\{|\$|%\(|example|sample|dummy|fake|mock|placeholder|change[_-]?me|replace|insert"
    r"|todo|test|demo"
    r"|default|not[_-]?(?:needed|used|required|set)|no[_-]?key|none|null|undefined|empty|ollama|lm[_-]studio"
    r"|local|secret[_-]?key$|^api[_-]?key$|^password\d*$|^secret$|^token$|0{6,}|1234|abcd|redacted|my[_-]|foo|bar$|key[_-]?here",
    re.IGNORECASE,
)
"""What stands in for a secret, or says that there is none."""
LOCAL: Final = regex(r"@(?:localhost|127\.|0\.0\.0\.0|postgres|db|database|redis|mongo(?:db)?|mysql|rabbitmq|host)\b")
TOLD: Final = regex(
    r"\b(?:api[ _-]?key|password|passcode|passphrase|secret(?:[ _-]key)?|access[ _-]token|auth[ _-]token|pin)"
    r"\b[^\n\"'`.]{0,24}?(?:\bis|=|:)\s*[\"'`*]*(?P<value>[^\s\"'`*,;)]{6,})",
    re.IGNORECASE,
)
"""A text that tells a secret."""
PASSWORD: Final = regex(r"(?i)passw|pwd|passphrase")
OWN_SIGNING: Final = regex(r"(?i)^(?:\w+_)?(?:jwt|session|cookie|(?:next_?)?auth)_?secret(?:_?key)?$")
"""What a project calls that with which it signs what its users bring back: whoever knows it is any of them."""
DIGITS: Final = 6
"""Fewer are a length or a count that has the word in its name."""
USER: Final = regex(r"(?i)^(?:\w*[_-])?(?:user(?:[_-]?name)?|login|uid)$|[a-z0-9](?:User(?:[Nn]ame)?|Login)$")
PLACE: Final = regex(
    r"(?i)^(?:\w*[_-])?(?:host(?:[_-]?name)?|server|port|database|db(?:[_-]?name)?|(?:base[_-]?)?ur[li]|endpoint|address)$"
    r"|(?-i:[a-z0-9](?:Host|Server|Port|Database|Ur[li]|URL|Endpoint))$"
)
"""What code calls who signs in somewhere, and where."""
VISITORS: Final = frozenset({"guest", "anonymous"})
"""The passwords with which servers let in whoever comes by until somebody sets one."""
OPENING: Final = frozenset({"secret", "default", "local", "test", "demo"})
"""Words that stand in for a key, and open what a user is named for."""
FILES: Final = ("sqlite", "file:", "duckdb:", ":memory:")
"""How the addresses of databases begin that are files."""
LABEL: Final = regex(
    r"(?:\b(?:env(?:ironment)?[ _-]?var(?:iable)?|api[ _-]?key|password|passphrase|secret(?:[ _-]key)?|credential"
    r"|(?:access|auth)[ _-]token)\b|环境变量|環境変数|密码|密钥|パスワード)[^\n]{0,24}[:=]\s*[\"'`]?$",
    re.IGNORECASE,
)
"""A text after which a secret follows: a variable of the environment is one of many, of which some are."""
SHORTEST: Final = 4
LONGEST: Final = 60
"""Letters that a password has, at least and at most."""
LONG: Final = 16
"""Signs that a key has at least."""
RUN: Final = 3
"""Letters or digits in their order that nobody draws by chance."""
MOST: Final = 0.6
ENTROPY: Final = 3.0
"""Bits a sign; words have less, keys more."""


def is_variable(name: str) -> bool:
    """Whether a variable of the environment holds a secret, by its name."""
    loud = name.upper()
    return is_address(name) or (VARIABLE.search(loud) is not None and PUBLIC.search(loud) is None)


def is_address(name: str) -> bool:
    """Whether a variable of the environment holds the address of a database, by its name."""
    return ADDRESS.search(name.upper()) is not None


def is_secret_name(name: str) -> bool:
    """Whether something is called as a secret is."""
    return SECRET.search(name) is not None and PUBLIC.search(name.upper()) is None


def is_key(text: str) -> bool:
    """Whether a text has the form of a provider's key and stands in for nothing."""
    found = FORMS.search(text)
    if found is None or LOCAL.search(text) or _is_counted_up(found[0]):
        return False
    return STAND_IN.search(found[0].split("@")[0].split("://")[-1]) is None


def is_value(text: str, name: str) -> bool:
    """Whether a text that has a secret's name is one."""
    is_password = PASSWORD.search(name) is not None
    if is_password and text.isdecimal():
        return len(text) >= DIGITS
    if STAND_IN.search(text) or text.startswith(("/", "http", "os.", "process.", "env", "#")) or "://" in text:
        return False
    letters, digits = any(c.isalpha() for c in text), any(c.isdigit() for c in text)
    if is_password:
        return letters and (digits or re.search(r"[^\w-]", text) is not None)
    is_random = letters and digits and _entropy(text) >= ENTROPY and not _is_counted_up(text)
    return len(text) >= LONG and is_random and "." not in text[:-20]


def is_default(text: str, name: str) -> bool:
    """Whether a text that is taken where a variable is not set is a secret: any password that stands in for nothing
    opens what it was set for, and what the project signs with is what stands there, a stand-in, too.
    """
    if is_key(text) or is_value(text, name):
        return True
    is_word = len(text) >= SHORTEST and any(c.isalpha() for c in text) and " " not in text
    is_password = PASSWORD.search(name) is not None and STAND_IN.search(text) is None and text not in VISITORS
    return is_word and (is_password or OWN_SIGNING.search(name) is not None)


def opens(name: str, text: str, beside: Mapping[str, object]) -> bool:
    """Whether a word is the password of an account: beside it stand who signs in, and where. `beside` has what is
    written there, by name. A capital first letter makes a label of a word: `password: "Passwort"`.
    """
    if PASSWORD.search(name) is None or not SHORTEST <= len(text) <= LONGEST or text[0].isupper() or " " in text:
        return False
    if text not in OPENING and STAND_IN.search(text) is not None:
        return False
    users = (value for key, value in beside.items() if USER.search(key))
    signs_in = any(isinstance(user, str) and user and _is_account(user) for user in users)
    return signs_in and any(PLACE.search(key) for key in beside)


def _is_account(user: str) -> bool:
    return " " not in user and not user[0].isupper() and (user in OPENING or STAND_IN.search(user) is None)


def is_open(text: str) -> bool:
    """Whether an address names a file: there is no password in it."""
    return text.startswith(FILES)


def told(text: str) -> str | None:
    """The secret that a text for a model tells."""
    for found in TOLD.finditer(text):
        value = found["value"].rstrip(".")
        if STAND_IN.search(value) is None and any(c.isdigit() for c in value) and any(c.isalpha() for c in value):
            return value
    return None


def _is_counted_up(text: str) -> bool:
    """Whether most of a text is letters and digits in their order: whoever wrote `abc123def456` made it up."""
    steps = [ord(second) - ord(first) == 1 for first, second in zip(text.lower(), text.lower()[1:], strict=False)]
    runs = "".join("+" if step else " " for step in steps).split()
    return sum(len(run) + 1 for run in runs if len(run) + 1 >= RUN) >= len(text) * MOST


def _entropy(text: str) -> float:
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)
