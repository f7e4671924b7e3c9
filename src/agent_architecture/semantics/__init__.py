"""Library knowledge and a program to the agent system, in rooms; the last place that says a framework's name."""
