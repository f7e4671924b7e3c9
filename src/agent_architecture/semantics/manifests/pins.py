"""How firmly a requirement chooses a version, by the languages of pip and npm, Git URLs and image names.

Knows texts only; must not know files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import Pin
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

ORDER: Final = (Pin.FLOATING, Pin.RANGE, Pin.TAG, Pin.UNKNOWN, Pin.EXACT, Pin.DIGEST)
"""Loosest first; what cannot be read stands before what is known to be exact."""

_LONGEST: Final = 2_000
_COMMIT: Final = regex(r"[@#=:](?:commit[:=])?[0-9a-f]{40}(?:[0-9a-f]{24})?(?:$|[#&\s\"'])")
_DIGEST: Final = regex(r"sha(?:256|384|512)[=:-]")
_NPM_EXACT: Final = regex(r"[=v]?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?")
_URL: Final = regex(r"(?:git|https?|ssh|file|github|gitlab|bitbucket)\S*:|[\w.-]+/[\w.-]+(?:#.*)?$")


def loosest(pins: Iterable[Pin]) -> Pin:
    """The loosest of some pins; there is at least one."""
    return min(pins, key=ORDER.index)


def python_pin(specifiers: str) -> Pin:
    """A PEP 440 specifier set: `==1.2` is exact, `==1.*` and `>=1` are ranges, nothing floats."""
    text = specifiers.strip()[:_LONGEST]
    if text in {"", "*"}:
        return Pin.FLOATING
    parts = [part.strip() for part in text.split(",")]
    exact = any(re.fullmatch(r"={2,3}\s*[^*\s]+", part) for part in parts)
    return Pin.EXACT if exact else Pin.RANGE


def poetry_pin(constraint: str) -> Pin:
    """Poetry's language: a bare version is exact, `^1` a range, `*` floats."""
    text = constraint.strip()[:_LONGEST]
    return Pin.EXACT if re.fullmatch(r"\d[\w.+!-]*", text) else python_pin(text)


def npm_pin(written: str) -> Pin | None:
    """What a `package.json` or `npx` says of a version; None for the project's own (`workspace:`, `file:`)."""
    text = written.strip()[:_LONGEST]
    if text.startswith(("workspace:", "file:", "link:", "portal:")):
        return None
    if text.startswith("catalog:"):
        return Pin.UNKNOWN
    if text.startswith("npm:"):
        return npm_pin(text[5:].partition("@")[2])
    if _URL.match(text):
        return url_pin(text)
    if _NPM_EXACT.fullmatch(text):
        return Pin.EXACT
    if re.search(r"\d", text) and re.match(r"[\d^~<>=vx*\s]", text):
        return Pin.RANGE
    return Pin.FLOATING


def url_pin(url: str) -> Pin:
    """A URL, Git's or another: only a commit or a digest keeps it where it is."""
    text = url[:_LONGEST]
    return Pin.DIGEST if _COMMIT.search(text) or _DIGEST.search(text) else Pin.FLOATING


def image_pin(image: str) -> Pin:
    """A container image: a digest is fixed, a tag can be moved, no tag and `latest` follow whatever is newest."""
    text = image.strip()[:_LONGEST]
    if "@sha256:" in text:
        return Pin.DIGEST
    if "$" in text:
        return Pin.UNKNOWN
    tag = text.rpartition("/")[2].partition(":")[2]
    return Pin.FLOATING if tag in {"", "latest"} else Pin.TAG


def registry_pin(registry: str, name: str, version: str, *, digest: bool) -> Pin:
    """A package as the registry of MCP servers names it; images and extensions carry their version in their name."""
    if digest:
        return Pin.DIGEST
    if registry in {"oci", "docker"}:
        return image_pin(name if ":" in name.rpartition("/")[2] or not version else f"{name}:{version}")
    if registry == "mcpb":
        return url_pin(name)
    return (npm_pin(version) if registry == "npm" else poetry_pin(version or "*")) or Pin.UNKNOWN
