"""`./dev ecosystem --breadth FOLDER`: what is found in projects that nobody labelled, beside a count by plain words."""
