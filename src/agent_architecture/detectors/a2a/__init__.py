"""Safety between agents."""
