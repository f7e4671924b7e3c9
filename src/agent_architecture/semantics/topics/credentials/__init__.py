"""Credentials of agents, tools, servers and clients: where they are read, and who else gets them."""
