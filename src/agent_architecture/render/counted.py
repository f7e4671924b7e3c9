"""Numbers of things, in words."""


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
