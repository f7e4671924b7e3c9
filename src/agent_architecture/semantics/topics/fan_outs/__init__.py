"""Fan-outs: where several agents, models or tools are started at once, and what bounds them."""
