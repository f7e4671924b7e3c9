"""What a function does to the world: effects that it reaches, records, and what makes them repeatable."""
