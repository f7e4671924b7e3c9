"""Who is let in: what turns requests away before they reach a server of the project."""
