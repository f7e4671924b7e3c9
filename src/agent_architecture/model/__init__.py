"""The agent system in the words of the field: entities, settings, graphs."""
