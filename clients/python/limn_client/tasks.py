"""Long work on the server."""

from __future__ import annotations

import time
from typing import Any

from .errors import LimnError, NotFoundError, TaskFailedError
from .transport import Transport


class Task:
    """Long work on the server: an import, an export, a scan.

    Attributes:
        id: Id of the task.
        name: What it does, for people.
        state: queued, running, done, failed or cancelled, as of the last `refresh`.
        progress: Percent.
        result: The task's result once it is done, such as an import's report.
    """

    def __init__(self, transport: Transport, task_id: int) -> None:
        self._transport = transport
        self.id = task_id
        self.name = ""
        self.state = "queued"
        self.progress = 0.0
        self.result: Any = None

    def refresh(self) -> "Task":
        """Read the task's state again."""
        for row in self._transport.json("GET", "tasks/"):
            if row["id"] == self.id:
                return self._fill(row)
        raise NotFoundError(f"There is no task {self.id}, or you may not see it.", 404)

    def wait(self, timeout: float | None = None) -> Any:
        """Wait until the task is done, and return its result.

        Raises:
            TaskFailedError: The task failed or was cancelled.
            LimnError: It has not ended within `timeout` seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        pause = 0.1
        while self.refresh().state in ("queued", "running"):
            if end is not None and time.monotonic() > end:
                raise LimnError(f"The task {self.id} ({self.name}) has not ended within {timeout} s.")
            time.sleep(pause)
            pause = min(2 * pause, 3.0)
        if self.state != "done":
            raise TaskFailedError(f"The task {self.id} ({self.name}) is {self.state}.", self.log())
        return self.result

    def log(self) -> list[str]:
        """Return the lines of the task's log."""
        lines: list[str] = self._transport.json("GET", f"tasks/{self.id}/logs")["logs"]
        return lines

    def cancel(self) -> None:
        """Ask the task to stop."""
        self._transport.send("POST", f"tasks/{self.id}/cancel")

    def _fill(self, row: dict[str, Any]) -> "Task":
        self.name, self.state = row["name"], row["state"]
        self.progress, self.result = row["progress"], row["result"]
        return self

    def __repr__(self) -> str:
        return f"<Task {self.id} {self.state}: {self.name}>"
