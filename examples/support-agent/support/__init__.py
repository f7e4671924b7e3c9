"""A support desk of three agents, and a small agent that is written by hand."""
