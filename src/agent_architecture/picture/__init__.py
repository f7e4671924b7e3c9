"""The agent system as nodes and edges: what a person draws who explains the project. It judges nothing."""
