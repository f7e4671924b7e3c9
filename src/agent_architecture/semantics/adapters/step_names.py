"""The names that stand for no step of a graph: where it starts, where it ends, and any of its nodes; and those of the
states that keep a conversation.
"""

from __future__ import annotations

from typing import Final

ANY: Final = "*"
"""A target that cannot be read: any node of the graph."""
START: Final = "__start__"
END: Final = "__end__"
OWN_STATES: Final = frozenset({"MessagesState", "MessagesAnnotation", "MessagesZodState", "MessagesValue"})
"""States of LangGraph that have messages."""
OF_MESSAGES: Final = frozenset({"add_messages", "messagesStateReducer", "messagesReducer"})
"""Reducers that add messages, and remove those that a `RemoveMessage` names."""
