"""What the code of tools, and of agents without tools, touches, and what confines it.

What the code of a tool does to its host and to the network, one entity an effect. `taint/shaping.py` says which
arguments an expression is made of, `taint/commands.py` and `hosts.py` how much of a command or an address they decide,
`sink_guards.py` which tests and checks refuse them before. Sheets 23, 25 and 26 read the same touches.
"""
