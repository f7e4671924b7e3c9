"""Governance: tool policy and validation."""
