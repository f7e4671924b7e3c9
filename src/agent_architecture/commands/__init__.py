"""Commands beside `analyze`: one file each, with `parser()` and `run(flags)`, which gives the exit code."""
