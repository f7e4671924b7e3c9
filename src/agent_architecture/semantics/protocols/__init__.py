"""Who speaks MCP and A2A: clients and hosts, agents and their cards, and servers that are written by hand."""
