"""What tools return to their model: declared, bounded, checked."""
