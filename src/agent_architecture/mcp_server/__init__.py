"""The MCP server: what the analyser knows, for coding agents, over stdio or streamable HTTP on loopback.

It is confined to the folders that it was started with, writes nothing, and asks nobody. Text of the scanned project
stands in fields whose names begin with `untrusted_` and nowhere else.
"""
