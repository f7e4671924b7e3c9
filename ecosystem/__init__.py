"""The tool measured on real projects: labels written by reading, and what becomes of them. Never their code."""
