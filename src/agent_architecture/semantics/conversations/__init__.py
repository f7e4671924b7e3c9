"""Which texts enter a conversation, who wrote them, and what stands between: messages, state, answers."""
