"""How the parts of an agent are installed or loaded: files, commands and calls that bring them in."""
