"""What is done a second time, and what makes that harmless."""
