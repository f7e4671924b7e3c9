"""Configuration files: where they are found, what may stand in them, and what they change in a `Config`."""
