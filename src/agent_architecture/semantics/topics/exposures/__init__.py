"""What stands between others' text and the agent that reads it, and what can refuse at each point of its course."""
