"""Library knowledge and a program to the agent system. The last place that says a framework's name."""
