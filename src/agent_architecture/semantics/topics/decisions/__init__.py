"""Where agents decide and choose whom the work goes to, and what may record it."""
