"""What stands between a model's text and what takes it for true: verifiers, people, thresholds, schemas."""
