"""Words by which code names what is said in a conversation, and what only says which thing is meant."""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

WORTH: Final = regex(
    r"message|prompt|content|response|reply|completion|answer|output|result|query|question|input|text|arg|param|payload"
    r"|body|history|conversation|transcript|observation|data|doc|key|token|secret|passw|credential|environ|e?mail|phone|ssn"
    r"|account|card|tax|birth|address|user|customer|vendor|patient|tool|call|state|resp|msg|name|stdout|stderr|html|page"
    r"|hits|items|rows|records|json|sql|statement|command|summary|note|memor|fact|thought|reasoning|discussion|feedback|critique|reflection",
    re.IGNORECASE,
)
"""Words in the names of what a record is likely to say; of what has other names only what begins near counts."""
SAYING: Final = regex(
    r"(?:^|_)(?:messages?|prompts?|(?<!callback_)query|question|inputs?|texts?|content|history|conversation|body|utterance)$"
    r"|(?<=[a-z])(?:Messages?|Prompts?|(?<!callback)Query|Question|Input|Text|Content|History|Conversation)$"
)
"""What parameters are called that hold what a user says; a callback's query says what a button holds."""
IDENTIFYING: Final = regex(
    r"(?:^|_|(?<=[a-z]))(?:ids?|Ids?|uuid|name|type|format|Format|status|key|(?<!ac)count|index|path|file|url|endpoint|model|limit|level|date|version|code)$"
)
"""What arguments of tools are called that name a thing and say nothing of it."""
PLAIN: Final = regex(
    r"(?:^|_|(?<=[a-z]))(?:ids?|Ids?|uuid|type|format|Format|key|(?<!ac)count|index|model|limit|level|date|version|code)$"
)
"""What those are called that say nothing whoever chooses them: an address or a name that a model writes is its text."""
FOREIGN: Final = frozenset({"web", "mail", "retrieval", "peer", "tool", "file"})
"""Origins of what tools bring."""
TOOLS: Final = "tool"
"""The origin of what a server's tools, prompts and resources bring: whoever asks for them, it is a tool's."""
ROWS: Final = frozenset({"database", "database_read"})
"""Effects whose answers are rows: outside of tools, only the names of their columns say what they tell."""
NEAR: Final = 5
"""Places on the way from a call that runs some tool, beyond which its result is more likely only mentioned."""
FAR: Final = 12
"""Places on the way of what has a name that tells nothing."""
LISTING: Final = regex(
    r"^_?(?:list|get|load|find|register|add|create|parse|format|build|to|from|is|has|describe|refresh)(?:_|[A-Z])"
)
"""What calls do that have to do with tools and run none."""
TOOL: Final = regex(r"tool|action|skill", re.IGNORECASE)
WROTE: Final = "what a model wrote"
"""How a text of a model's is called."""
TALK: Final = regex(
    r"^(?:(?:chat_|prompt_|llm_)?messages|(?:user|human|input)_message|(?:user|human)Message"
    r"|(?:user|human)_(?:query|input|question|request|text|feedback|response|reply|answer)"
    r"|(?:user|human)(?:Query|Input|Question|Request|Text|Feedback|Response|Reply|Answer)"
    r"|(?:chat_|conversation_)?history|(?:[a-z]+_)*prompt"
    r"|(?:llm|model)_(?:response|output)|tool_(?:output|result|response|input|arg|argument)s?|(?:system|user)Prompt|chatHistory"
    r"|tool(?:Output|Result|Response|Input|Args|Arguments))$"
)
"""What variables are called that hold what is said, to a model, by it, or by tools."""
SENT: Final = regex(r"^(?:(?:request_?|post_?|update_?)?(?:payload|body)|request_?data)$", re.IGNORECASE)
"""What the code of a tool calls all that it sends, made of what it is given."""
PASSED: Final = regex(r"^(?:args|arguments|input|inputs|output|result|observation)$")
TOOL_NAME: Final = regex(r"^(?:tool|action|function)_?[nN]ame$")
"""What a function's parameters are called that tell of a tool's call: what went in or out, and which tool it was."""
SPOKEN: Final = regex(r"(?:^|[._])(?:message|msg|reply|completion|answer)\.(?:content|text)$")
"""How code calls the text of a message, wherever it comes from."""
RESULT: Final = regex(
    r"(?:^|_|(?<=[a-z]))(?:results?|Results?|responses?|Responses?|data|Data|answer|Answer|reply|Reply)$"
)
"""What a tool's function calls what it got and gives back."""
HELD: Final = frozenset({"content", "text"})
"""Members of a message that hold what it says."""
