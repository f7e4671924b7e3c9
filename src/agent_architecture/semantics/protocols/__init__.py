"""Who speaks MCP and A2A: clients, hosts and servers, agents and their cards, and who is let in."""
