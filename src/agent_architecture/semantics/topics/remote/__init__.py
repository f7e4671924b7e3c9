"""Calls to models and other machines that are made again and again, and what stops them when these fail."""
