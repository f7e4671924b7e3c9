"""What is secret or personal, and where it goes: prompts, tools' results, records, traces, memories."""
