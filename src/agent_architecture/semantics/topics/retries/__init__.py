"""Retries: of libraries, of clients, and written by hand."""
