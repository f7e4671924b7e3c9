"""The token of a server that is reached over HTTP: who was not told it at the start asks nothing."""

from __future__ import annotations

import hmac
from typing import Final

from mcp.server.auth.provider import AccessToken

CLIENT: Final = "local"


class OneToken:
    """Verifies that a request brings the token of this server: a `TokenVerifier` of the SDK."""

    def __init__(self, token: str, url: str) -> None:
        """`token` is what every request to the server at this address has to bring."""
        self._token = token.encode()
        self._url = url

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who asks; None for one who was not told the token."""
        if not hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self._token):
            return None
        return AccessToken(token=token, client_id=CLIENT, scopes=[], resource=self._url)
