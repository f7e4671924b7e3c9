"""What code does with what a model answered: runs it, looks a call up by it, chooses a branch by it."""
