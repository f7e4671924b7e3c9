"""What keeps how far a run came, and where it stops until somebody answers."""
