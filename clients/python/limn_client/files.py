"""Files that appear complete, and archives."""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path

import requests

CHUNK = 1 << 20


def write_whole(response: requests.Response, target: Path) -> Path:
    """Write a response's body to a file beside the target and then rename it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(target.name + ".part")
    try:
        with open(draft, "wb") as file:
            for piece in response.iter_content(CHUNK):
                file.write(piece)
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)
        response.close()
    return target


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip. Refuses members that would leave the folder."""
    top = folder.resolve()
    with zipfile.ZipFile(archive) as zipped:
        for member in zipped.infolist():
            target = (top / member.filename).resolve()
            if top != target and top not in target.parents:
                raise ValueError(f"The archive has a path outside the folder: {member.filename}")
        zipped.extractall(top)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(CHUNK), b""):
            digest.update(piece)
    return digest.hexdigest()
