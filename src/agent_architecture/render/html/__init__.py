"""The report as one HTML file: the program that shows it is built from `web/` and stands here as package data."""
