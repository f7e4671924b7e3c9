"""What agents remember: memories that libraries make, and those of hand-written code."""
