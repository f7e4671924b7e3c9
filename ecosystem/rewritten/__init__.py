"""Metamorphic relations: programs that are written otherwise and mean the same must be judged the same."""
