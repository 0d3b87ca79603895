"""Datasets: their images, uploads, imports and exports."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Literal, Mapping, Sequence

from .convert import to_fiftyone, to_ultralytics
from .files import unpack, write_whole
from .images import Image
from .tasks import Task
from .transport import Transport
from .uploads import UploadReport, upload_folder

ExportFormat = Literal[
    "coco", "yolo-detection", "yolo-segmentation", "yolo-pose", "voc", "semantic-masks", "instance-masks"
]
PAGE = 500


class Dataset:
    """A dataset: a folder of images with its members and categories.

    Attributes:
        id: Id of the dataset.
        name: Its name.
        owner: Name of the user who owns it.
        category_ids: Ids of the categories that it lists.
    """

    def __init__(self, transport: Transport, row: Mapping[str, Any]) -> None:
        self._transport = transport
        self.id: int = row["id"]
        self.name: str = row["name"]
        self.owner: str | None = row["owner"]
        self.category_ids: list[int] = row["categories"]

    def images(
        self,
        *,
        folder: str | None = None,
        annotated: bool | None = None,
        done: bool | None = None,
        page_size: int = PAGE,
    ) -> Iterator[Image]:
        """Yield the images in order of their ids, page by page.

        Args:
            folder: Only images directly in this folder; None for all.
            annotated: Only images with, or without, annotations.
            done: Only images with, or without, the mark.
        """
        page = 1
        while True:
            found = self._transport.json(
                "GET",
                f"dataset/{self.id}/data",
                query={
                    "page": page,
                    "limit": page_size,
                    "order": "id",
                    "folder": folder,
                    "annotated": annotated,
                    "done": done,
                },
            )
            for row in found["images"]:
                yield Image(self._transport, row)
            if page >= found["pages"]:
                return
            page += 1

    def coco(self) -> dict[str, Any]:
        """Return the whole dataset as a COCO dict, which pycocotools reads. `export` writes it without holding it in memory."""
        found: dict[str, Any] = self._transport.json("GET", f"dataset/{self.id}/coco")
        return found

    def upload(
        self,
        source: str | os.PathLike[str],
        *,
        folder: str = "",
        concurrency: int = 4,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> UploadReport:
        """Upload the images of a folder and its sub-folders, or one image.

        An interrupted upload continues when it is called again: images with the same path and bytes are skipped.

        Args:
            folder: Folder of the dataset to upload into.
            on_progress: Called with the numbers of finished files and of all files.
        """
        return upload_folder(self._transport, self.id, Path(source), folder, concurrency, on_progress)

    def import_annotations(
        self,
        source: str | os.PathLike[str] | Mapping[str, Any],
        *,
        dry_run: bool = False,
        pixels: Literal["stored", "upright"] | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Import annotations for the images of the dataset, wait until it is done, and return the report.

        Args:
            source: A COCO file, a zip of YOLO or Pascal VOC files, or a COCO dict.
            dry_run: Store nothing, and report what the import would do.
            pixels: Pixels of the coordinates, if an image's size does not show them.
        """
        if isinstance(source, Mapping):
            name, content = "annotations.json", json.dumps(source).encode()
        else:
            name, content = Path(source).name, Path(source).read_bytes()
        started = self._transport.json(
            "POST",
            f"dataset/{self.id}/coco",
            query={"dry_run": dry_run, "pixels": pixels},
            files=lambda: {"coco": (name, content)},
            repeatable=False,
        )
        return Task(self._transport, started["id"]).wait(timeout)

    def export(
        self,
        folder: str | os.PathLike[str],
        *,
        format: ExportFormat = "coco",
        with_images: bool = False,
        with_empty_images: bool = False,
        only_accepted: bool = False,
        category_ids: Sequence[int] | None = None,
        segmentation: Literal["polygon", "rle"] | None = None,
        split: Sequence[float] | None = None,
        seed: str | None = None,
        timeout: float | None = None,
    ) -> Path:
        """Export into a folder and return it.

        A COCO file is called `annotations.json`; formats of several files are unpacked.

        Args:
            only_accepted: Leave out images that are not accepted, or not done.
            split: Shares of the train, val and test sets, such as (80, 10, 10).
            seed: The same seed splits the same images in the same way.
        """
        started = self._transport.json(
            "GET",
            f"dataset/{self.id}/export",
            query={
                "format": format,
                "with_images": with_images,
                "with_empty_images": with_empty_images,
                "only_accepted": only_accepted or None,
                "categories": list(category_ids) if category_ids else None,
                "segmentation": segmentation,
                "split": list(split) if split else None,
                "seed": seed,
            },
        )
        result = Task(self._transport, started["id"]).wait(timeout)
        response = self._transport.send("GET", f"export/{result['export_id']}/download", stream=True)
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        if format == "coco" and not with_images and not split:
            write_whole(response, target / "annotations.json")
            return target
        with tempfile.TemporaryDirectory() as scratch:
            archive = write_whole(response, Path(scratch) / "export.zip")
            unpack(archive, target)
        return target

    def to_fiftyone(self, folder: str | os.PathLike[str]) -> Path:
        """Write the dataset as FiftyOne's `COCODetectionDataset` reads it: data/ and labels.json."""
        return to_fiftyone(self, Path(folder))

    def to_ultralytics(
        self,
        folder: str | os.PathLike[str],
        *,
        task: Literal["detect", "segment", "pose"] = "segment",
        split: Sequence[float] = (80, 20, 0),
        seed: str = "0",
    ) -> Path:
        """Write the dataset as Ultralytics reads it, and return the path of data.yaml, which `YOLO.train` takes."""
        return to_ultralytics(self, Path(folder), task, split, seed)

    def scan(self) -> Task:
        """Look for new images in the dataset's folder on the server."""
        return Task(self._transport, self._transport.json("GET", f"dataset/{self.id}/scan")["id"])

    def delete(self) -> None:
        """Move the dataset to the trash."""
        self._transport.send("DELETE", f"dataset/{self.id}")

    def __repr__(self) -> str:
        return f"<Dataset {self.id}: {self.name}>"
