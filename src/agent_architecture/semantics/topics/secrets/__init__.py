"""What a secret looks like, and where one is written out."""
