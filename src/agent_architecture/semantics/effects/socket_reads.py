"""The calls by which a server reads what a client sends over an open web socket.

A socket is often wrapped in objects of the project, so these calls are known by their names (starlette 0.41,
`websockets.py`; FastAPI hands the same object on).
"""

from __future__ import annotations

from typing import Final

RECEIVING: Final = frozenset({"receive_text", "receive_json", "receive_bytes"})
"""Methods by which the sockets of Python's servers give the next message."""
