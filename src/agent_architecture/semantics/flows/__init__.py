"""Where text that the project did not write enters a conversation: sources, slots, boundaries, and what joins them."""
