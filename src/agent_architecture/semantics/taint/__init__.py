"""Where text comes from and where it ends: sources, access paths, boundaries, and arguments that shape a sink."""
