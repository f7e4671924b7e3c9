"""What records agents: switches of tracing, spans by hand, and which work they cover."""
