"""What a project's own code offers to a model: tools that no library's call makes."""
