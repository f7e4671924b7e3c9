"""What MCP servers of the project tell a model of themselves, and what is remarkable in it."""
