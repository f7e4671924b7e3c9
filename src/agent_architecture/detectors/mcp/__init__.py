"""Safety of MCP and of the supply chain."""
