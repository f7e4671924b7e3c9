"""Agents that are written by hand: the project's own classes and objects, without a library's construct, and the work
that they pass to each other.
"""
