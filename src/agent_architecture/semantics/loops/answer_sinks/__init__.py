"""What code does with what a model answered: runs it, looks a call up by it, chooses a branch by it.

In the functions around model calls candidates are found by shape: calls that run a text, calls of what was looked up,
branches on a word, loops over a list. Then `answer_sources.py` asks which model call wrote the text, key, word or list,
by a reader of `flow` that goes on only through calls that take a text apart or keep it: what is fetched, queried or
asked of somebody else with an answer is not that answer. The place is the highest call of the project's own client in
the function that leads to where it is done. A text that begins with fixed words is a fixed program or statement; a list
that the project gathers is not listed by a model, nor are records that another object of the project keeps one by one
(storm's knowledge base, `article_generation.py:84`): the loop's own object may gather its plan; what only looks up or
keeps records is no work (storm, `persona_generator.py:80`).
"""
