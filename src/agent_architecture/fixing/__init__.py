"""Changes to files that close gaps: found for a report, tried in memory, and written where somebody asks for it."""

from __future__ import annotations

from agent_architecture.fixing.edit import Applicability, Edit, Repair, edited
from agent_architecture.fixing.repairs import Read, repairs_of

__all__ = ["Applicability", "Edit", "Read", "Repair", "edited", "repairs_of"]
