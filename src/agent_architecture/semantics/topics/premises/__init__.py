"""Where what a model wrote is taken for true: in the prompt of another model, in a store, in an effect.

Where one model's text is taken for true. The way back from a message, write or effect is that of untrusted texts, with
a reader (`conversations/answers.py`) that stops where a library makes something else of an answer and marks where a new
text was made of one, so that a conversation that goes on is none; `topics/verification/` asks the functions on the way
for tests that stop it; `telling_tools.py` says which tools tell something.
"""
