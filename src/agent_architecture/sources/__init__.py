"""Bytes to source files: which files a project has, what they are for, and what they contain."""
