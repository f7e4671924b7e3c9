"""What one family of detectors needs and nobody else, a folder each."""
