"""Requests with authentication, retries and errors."""

from __future__ import annotations

import random
import time
import uuid
from typing import Any, Callable, Mapping

import requests

from .errors import LimnError, UnreachableError, error_of

UNAVAILABLE = frozenset({429, 502, 503, 504})
MAX_WAIT_SECONDS = 120.0
TIMEOUT_SECONDS = (10.0, 300.0)

Files = Callable[[], Any]


class Transport:
    """Sends requests to one server.

    A call that may be repeated is repeated with a growing pause when the server does not respond or is busy, and after
    the pause that `Retry-After` asks for. Those are calls that change nothing, and commands, which carry an id with
    which the server does them only once.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        tries: int,
        first_pause: float,
        session: requests.Session | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.tries = tries
        self.first_pause = first_pause
        self.session = session or requests.Session()
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def json(self, method: str, path: str, **options: Any) -> Any:
        """Make a call and return the JSON of its response."""
        response = self.send(method, path, **options)
        try:
            return response.json()
        except ValueError:
            raise LimnError("The server's response cannot be read. Is it Limn?", response.status_code) from None

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        files: Files | None = None,
        data: Mapping[str, Any] | None = None,
        stream: bool = False,
        repeatable: bool = True,
    ) -> requests.Response:
        """Make a call and return its response.

        Args:
            query: Parameters; None is left out, lists are joined with commas, booleans become true and false.
            body: Value sent as JSON.
            files: Function that returns the files of a multipart body. It is called again for each try.
            repeatable: False if the call must not be repeated after it may have arrived.
        """
        headers = {} if files else {"X-Limn-Command": str(uuid.uuid4())}
        for tried in range(1, self.tries + 1):
            try:
                response = self.session.request(
                    method,
                    f"{self.url}/api/{path}",
                    params=_query_of(query or {}),
                    json=body,
                    files=files() if files else None,
                    data=data,
                    headers=headers,
                    stream=stream,
                    timeout=TIMEOUT_SECONDS,
                )
            except (requests.ConnectionError, requests.Timeout) as error:
                if not repeatable or tried == self.tries:
                    raise UnreachableError(f"No server responds at {self.url}: {error}") from error
                self._pause(tried, None)
                continue
            if response.ok:
                return response
            retry_after = _seconds(response.headers.get("Retry-After"))
            may_wait = retry_after is None or retry_after <= MAX_WAIT_SECONDS
            if response.status_code not in UNAVAILABLE or tried == self.tries or not may_wait:
                raise error_of(response.status_code, _json_or_none(response), retry_after)
            response.close()
            self._pause(tried, retry_after)
        raise AssertionError("unreachable")

    def _pause(self, tried: int, retry_after: float | None) -> None:
        """Wait, doubled with each try and varied by a quarter so that clients do not all return at once."""
        grown = min(self.first_pause * 2 ** (tried - 1), 30.0) * random.uniform(0.75, 1.25)
        time.sleep(max(grown, retry_after or 0.0))


def _query_of(query: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text_of(value) for name, value in query.items() if value is not None}


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    return str(value)


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.isdigit() else None


def _json_or_none(response: requests.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None
