"""Limits of memory; higher is better."""
