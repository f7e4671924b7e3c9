"""What the code of tools, and of agents without tools, touches, and what confines it."""
