"""Uploads of folders, which continue where they were interrupted."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Mapping

from .files import sha256_of
from .transport import Transport

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".avif"})


@dataclass(frozen=True)
class UploadedFile:
    """The outcome for one file.

    Attributes:
        path: Path in the dataset.
        status: added, known, restored, refused, or skipped if the dataset had the same bytes already.
        message: Reason why it was refused.
    """

    path: str
    status: str
    id: int | None = None
    message: str | None = None


@dataclass
class UploadReport:
    """The outcome for all files, in order of their paths."""

    files: list[UploadedFile] = field(default_factory=list)

    def count(self, status: str) -> int:
        """Return the number of files with a status."""
        return sum(1 for file in self.files if file.status == status)

    @property
    def refused(self) -> list[UploadedFile]:
        """The files that the server refused, with its reasons."""
        return [file for file in self.files if file.status == "refused"]


def upload_folder(
    transport: Transport,
    dataset_id: int,
    source: Path,
    folder: str,
    concurrency: int,
    on_progress: Callable[[int, int], None] | None,
) -> UploadReport:
    """Upload the images of a folder, or one image. Skips images that the dataset has with the same path and bytes."""
    if not source.exists():
        raise FileNotFoundError(f"There is no file or folder {source}.")
    files = _images_below(source)
    present = _present(transport, dataset_id)
    prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
    counted = 0
    lock = threading.Lock()

    def send(local: tuple[str, Path]) -> UploadedFile:
        nonlocal counted
        outcome = _upload_one(transport, dataset_id, prefix + local[0], local[1], present)
        with lock:
            counted += 1
            if on_progress:
                on_progress(counted, len(files))
        return outcome

    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        pending = [pool.submit(send, local) for local in files]
        try:
            return UploadReport([each.result() for each in pending])
        except BaseException:
            for each in pending:
                each.cancel()
            raise


def _images_below(source: Path) -> list[tuple[str, Path]]:
    if source.is_file():
        return [(source.name, source)]
    found = []
    for path in source.rglob("*"):
        inner = path.relative_to(source)
        hidden = any(part.startswith(".") for part in inner.parts)
        if path.suffix.lower() in ENDINGS and not hidden and path.is_file() and not path.is_symlink():
            found.append((inner.as_posix(), path))
    return sorted(found)


def _present(transport: Transport, dataset_id: int) -> Mapping[str, Mapping[str, Any]]:
    manifest = transport.json("GET", f"dataset/{dataset_id}/manifest")
    return {image["path"]: image for image in manifest["images"]}


def _upload_one(
    transport: Transport,
    dataset_id: int,
    path: str,
    local: Path,
    present: Mapping[str, Mapping[str, Any]],
) -> UploadedFile:
    known = present.get(path)
    if known and known["bytes"] == local.stat().st_size and known["hash"] == sha256_of(local):
        return UploadedFile(path, "skipped", known["id"])
    content = local.read_bytes()
    sent = transport.json(
        "POST",
        f"dataset/{dataset_id}/upload",
        files=lambda: {"files": (local.name, content)},
        data={"paths": path},
    )
    (outcome,) = sent["files"]
    return UploadedFile(path, outcome["status"], outcome["id"], outcome["message"])
