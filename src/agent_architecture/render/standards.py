"""The published lists that rules refer to (CWE, OWASP), and where a reader finds what they say of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.detector import Detector

CWE_PAGE: Final = "https://cwe.mitre.org/data/definitions/{}.html"
OWASP_PAGE: Final = "https://genai.owasp.org/"

TAXONOMIES: Final = (
    ("CWE", regex(r"^CWE-(\d+)$"), "MITRE", "Common Weakness Enumeration"),
    ("OWASP-ASI-2026", regex(r"^OWASP (ASI\d+)$"), "OWASP", "Top 10 for Agentic Applications 2026"),
    ("OWASP-LLM-2026", regex(r"^OWASP (LLM\d+):2026$"), "OWASP", "Top 10 for LLM Applications 2026"),
    ("OWASP-MCP-2025", regex(r"^OWASP (MCP\d+)(?::2025)?$"), "OWASP", "MCP Top 10 2025"),
    ("AISVS-1.0", regex(r"^AISVS ([\d.]+)$"), "OWASP", "AI Security Verification Standard 1.0"),
)
"""Name of each taxonomy, how a detector's reference to it is written, who publishes it, and what it is called."""


def address_of(detector: Detector) -> str:
    """Where the weakness is described that the rule is about: the first that the rule names in MITRE's list.

    The rules' own pages are in the package and have no address; what is about the rule itself stands in `help`.
    """
    found = (taxon(reference) for reference in detector.references)
    weakness = next((one[1] for one in found if one is not None and TAXONOMIES[one[0]][0] == "CWE"), None)
    return OWASP_PAGE if weakness is None else CWE_PAGE.format(weakness)


def taxon(reference: str) -> tuple[int, str] | None:
    """The number of the taxonomy that a reference belongs to, and the id there."""
    for number, (_, pattern, *_) in enumerate(TAXONOMIES):
        found = pattern.match(reference)
        if found is not None:
            return number, found[1]
    return None
