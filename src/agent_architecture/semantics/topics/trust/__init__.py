"""Whether what MCP servers tell can change behind a client's back: whose they are, who compares, what changes them."""
