"""The search tool, as the model sees it and as it runs."""

SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Search the help pages.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}


def search(query: str) -> str:
    """The passages that mention the query."""
    return f"nothing found for {query}"
