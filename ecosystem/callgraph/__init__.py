"""`./dev ecosystem --edges`: what the name layer says of calls and library objects, against what others wrote down."""
