"""What is known where code stands: which statements go on, and what was asked before on every way there."""
