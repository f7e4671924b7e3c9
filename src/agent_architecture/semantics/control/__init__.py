"""What is known where code stands: conditions on every way there, tests and checks that can refuse."""
