"""Reliability: bounds, memory, retries, tracing, evaluation, durability."""
