"""The lines of code with which packs close gaps, and the calls that may take them."""
