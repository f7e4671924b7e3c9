"""What a project's own code offers to a model: tools that no library's call makes.

Two questions lead here: what stands behind what a model is given (`offers`), and what a dispatcher looks up by the
model's word (`dispatch_lookups`). Both go back with `trace`, which asks the other files of each expression on the way:
another way to keep or find tools is a file that says of one expression which tools it stands for, asked in `Trace`.
"""
