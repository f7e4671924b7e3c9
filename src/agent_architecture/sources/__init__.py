"""From paths to source files: what is read, in which language, and what each file is for."""
