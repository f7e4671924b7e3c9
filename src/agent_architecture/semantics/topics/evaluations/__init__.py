"""Evaluations: which code and configuration grades the agent, and what starts it."""
