"""A2A agents: the cards that they publish, how they end their tasks, and whom they notify."""
