"""Errors of the client. All are `LimnError`s with the server's message and status."""

from __future__ import annotations

from typing import Any, Mapping


class LimnError(Exception):
    """A call that failed.

    Attributes:
        message: The server's message, or the client's if no server responded.
        status: The HTTP status; 0 if no server responded.
        code: The code that the API page lists for some errors, or None.
        errors: The reason for each invalid field.
        retry_after: Seconds after which another try makes sense, or None.
    """

    def __init__(
        self,
        message: str,
        status: int = 0,
        code: str | None = None,
        errors: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{message} (status {status})" if status else message)
        self.message = message
        self.status = status
        self.code = code
        self.errors = dict(errors or {})
        self.retry_after = retry_after


class UnreachableError(LimnError):
    """No server responded at the address, after all tries."""


class InvalidInputError(LimnError):
    """400, 413: the input is not valid or too large; `errors` has the reason for each field."""


class UnauthorizedError(LimnError):
    """401: no token, or one that is expired or revoked."""


class ForbiddenError(LimnError):
    """403: the user may not do this."""


class NotFoundError(LimnError):
    """404: the object does not exist, or the user may not see it."""


class ConflictError(LimnError):
    """409, 412: the name is taken, or another user changed the object meanwhile."""


class TooManyRequestsError(LimnError):
    """429: too many requests, after all tries."""


class ServerError(LimnError):
    """5xx: the server failed or is not available, after all tries."""


class TaskFailedError(LimnError):
    """A task that failed or was cancelled; `log` has its log."""

    def __init__(self, message: str, log: list[str]) -> None:
        super().__init__(message)
        self.log = log


_CLASSES: dict[int, type[LimnError]] = {
    400: InvalidInputError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: InvalidInputError,
    415: InvalidInputError,
    429: TooManyRequestsError,
}


def error_of(status: int, body: Any, retry_after: float | None) -> LimnError:
    """Return the error for a response with a failing status. The body may be anything, even a proxy's page."""
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    message = fields.get("message") or f"The server responded with status {status}."
    errors = fields.get("errors")
    kind = _CLASSES.get(status, ServerError if status >= 500 else LimnError)
    return kind(
        str(message),
        status=status,
        code=fields.get("code"),
        errors=errors if isinstance(errors, dict) else None,
        retry_after=retry_after,
    )
