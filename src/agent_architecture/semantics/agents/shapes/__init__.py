"""What is recognised by its shape: constructs of libraries that no pack knows, and of the project itself.

Decorators, registering calls, classes, objects and schema lists that declare tools; constructors that are given a model
and tools; connections to servers; requests in the form of a model's API through a client that nobody knows
(`requests.py`: the rows of `model-apis` say how such a call ends). `agents/shaped_tools.py` joins them with what is
known already. Code of the project is always followed instead.
"""
