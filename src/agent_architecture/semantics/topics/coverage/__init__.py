"""What was seen of agents, and where nothing was: models, libraries without agents, the reason for silence.

An agent that nothing is seen to run is exported (`agents/exported.py`), tools that nobody is seen to take are a toolkit
(`toolkits.py`), and where no site stands at all `topics/coverage/silence.py` says what was seen, where, and what is
missing for one. `ecosystem/rounds.toml` has the blind rounds: what was measured on projects that nobody had read
before.
"""
