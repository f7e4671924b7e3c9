"""Safety of tool execution."""
