"""One file and one page for each of the 56 detectors; the path is the registration."""
