"""An outcome to text: one file for each format."""
