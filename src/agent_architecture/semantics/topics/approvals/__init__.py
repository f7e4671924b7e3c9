"""Where a person is asked, and what passes without the question."""
