"""One framework each: what rows of packs cannot say of its agents, graphs and hand-overs."""
