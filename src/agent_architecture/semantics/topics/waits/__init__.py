"""Where code goes on only when something else has happened, and what ends that."""
