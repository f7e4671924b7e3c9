"""What is recognised by its shape: constructs of libraries that no pack knows, and of the project itself."""
