"""What stands where a model is told what to do, and what clients may put there."""
