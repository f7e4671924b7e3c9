"""Agents, their tools and the edges between them, each with its degree of evidence."""
