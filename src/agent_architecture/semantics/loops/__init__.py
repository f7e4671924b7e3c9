"""Where agents run: sites, hand-written loops and agents, and the work that they do."""
