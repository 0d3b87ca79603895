"""The entry point: a server and a user's token."""

from __future__ import annotations

import os
from typing import Any, Sequence

from .datasets import Dataset
from .errors import LimnError, NotFoundError
from .tasks import Task
from .transport import Transport


class Limn:
    """A Limn server, used with a personal API token.

    Args:
        url: Address of the server; LIMN_URL, or http://localhost:5000, by default.
        token: API token from the user page; LIMN_TOKEN by default.
        tries: Number of tries for calls that may be repeated.
        first_pause: Seconds before the second try; doubled with each further one.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        tries: int = 6,
        first_pause: float = 0.5,
    ) -> None:
        address = url or os.environ.get("LIMN_URL") or "http://localhost:5000"
        self._transport = Transport(address, token or os.environ.get("LIMN_TOKEN"), tries, first_pause)

    def username(self) -> str:
        """Return the name of the token's user."""
        name: str = self._transport.json("GET", "user/")["user"]["username"]
        return name

    def datasets(self) -> list[Dataset]:
        """Return the datasets that the user may see."""
        return [Dataset(self._transport, row) for row in self._transport.json("GET", "dataset/")]

    def dataset(self, id_or_name: int | str) -> Dataset:
        """Return the dataset with an id or a name."""
        found = [dataset for dataset in self.datasets() if id_or_name in (dataset.id, dataset.name)]
        if len(found) > 1:
            raise LimnError(f"Several datasets are called {id_or_name!r}. Name one by its id.")
        for dataset in found:
            return dataset
        raise NotFoundError(f"There is no dataset {id_or_name!r}, or you may not see it.", 404)

    def create_dataset(self, name: str, categories: Sequence[str] = ()) -> Dataset:
        """Create a dataset. Categories that do not exist are created."""
        body = {"name": name, "categories": list(categories)}
        return Dataset(self._transport, self._transport.json("POST", "dataset/", body=body))

    def categories(self) -> list[dict[str, Any]]:
        """Return the categories that the user may see: id, name, color and so on."""
        found: list[dict[str, Any]] = self._transport.json("GET", "category/")
        return found

    def category_id(self, name: str) -> int:
        """Return the id of the category with a name."""
        for category in self.categories():
            if category["name"] == name:
                return int(category["id"])
        raise NotFoundError(f"There is no category {name!r}.", 404)

    def tasks(self) -> list[Task]:
        """Return the tasks that the user may see."""
        rows = self._transport.json("GET", "tasks/")
        return [Task(self._transport, row["id"])._fill(row) for row in rows]

    def call(self, method: str, path: str, *, query: dict[str, Any] | None = None, body: Any = None) -> Any:
        """Make any call of the API page, such as `call("GET", "dataset/3/stats")`, and return its JSON."""
        return self._transport.json(method, path, query=query, body=body)
