"""Coordination of agents."""
