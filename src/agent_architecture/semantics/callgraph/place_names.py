"""Names of files and folders for which something outside of the code starts or takes a file."""

from __future__ import annotations

from typing import Final

from agent_architecture.regexes import regex

STEMS: Final = regex(
    r"__main__|_app|_document|_layout|_middleware|actions?|admin|agents?|apps?|asgi|bootstrap|bot|celery|cli|client|"
    r"conf(?:ig|test)?|default|entry(?:point)?|env|error|forms|function_app|gunicorn|handlers?|hooks|index|init|"
    r"instrumentation|lambda_function|layout|lifespan|loading|main|manage|mcp|middleware|models|noxfile|page|plugins?|"
    r"preload|proxy|register|registry|root|routers?|routes?|run(?:ner)?|scheduler?|serializers|server|service|settings|"
    r"setup|signals|start(?:up)?|tasks|template|urls|views|worker|wsgi"
)
"""Names of files that frameworks, servers and people start or look for."""
ASKED_STEMS: Final = regex(r"routers?|routes")
"""Those of them that are taken for what they offer: whoever starts programs starts none of these."""
STARTED_STEMS: Final = regex(
    r"agents?|bot|cli|client|handlers?|main|mcp|register|registry|run(?:ner)?|server|service|start|tasks|worker"
)
"""Those of them that do nothing where they only define something."""
FOLDERS: Final = {
    True: regex(
        r"addons|bin|cogs|commands|crons?|dags|extensions|functions|hooks|jobs|lambdas|migrations|pages|plugins|"
        r"scripts|skills|versions"
    ),
    False: regex(
        r"actions|addons|api|apps?|bin|channels|commands|crons?|edge|events|extensions|functions|"
        r"handlers|hooks|jobs|lambdas|listeners|middlewares?|migrations|modules|pages|plugins|processors|"
        r"routers|routes|scripts|servers?|skills|steps|tasks|triggers|views|workers|workflows"
    ),
}
"""Names of folders whose files are taken one by one, by whether they are Python's."""
PACKAGES: Final = {
    True: regex(r"agents|handlers|steps|tasks|tools|workflows"),
    False: regex(r"agents|connectors|integrations|tools"),
}
"""Names of folders whose files may be taken so, too, but not where the application imports those that it takes."""
