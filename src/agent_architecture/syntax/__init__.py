"""Source files to the IR. Knows languages, no framework."""
