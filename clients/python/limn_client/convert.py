"""Layouts of other tools, written without depending on them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Sequence

if TYPE_CHECKING:
    from .datasets import Dataset, ExportFormat


def to_fiftyone(dataset: "Dataset", folder: Path) -> Path:
    """Write data/ with the images and labels.json with COCO, as `fiftyone.types.COCODetectionDataset` reads them."""
    dataset.export(folder, with_images=True, with_empty_images=True)
    images, data = folder / "images", folder / "data"
    if data.exists():
        shutil.rmtree(data)
    if images.exists():
        os.replace(images, data)
    else:
        data.mkdir()
    os.replace(folder / "annotations" / "instances.json", folder / "labels.json")
    (folder / "annotations").rmdir()
    _name_by_path(folder / "labels.json")
    return folder


def _name_by_path(labels: Path) -> None:
    """Set each image's file name to its path below data/, since images of different folders may share a name."""
    coco = json.loads(labels.read_text(encoding="utf8"))
    for image in coco["images"]:
        path = str(image.get("path", ""))
        if path.endswith(image["file_name"]):
            image["file_name"] = _path_in_dataset(path, image["file_name"], labels.parent / "data")
    labels.write_text(json.dumps(coco), encoding="utf8")


def _path_in_dataset(path: str, file_name: str, data: Path) -> str:
    """Return the longest ending of an image's path that is a file below data/."""
    parts = path.strip("/").split("/")
    for first in range(len(parts)):
        inner = "/".join(parts[first:])
        if (data / inner).is_file():
            return inner
    return file_name


_FORMATS: dict[str, "ExportFormat"] = {
    "detect": "yolo-detection",
    "segment": "yolo-segmentation",
    "pose": "yolo-pose",
}


def to_ultralytics(
    dataset: "Dataset",
    folder: Path,
    task: Literal["detect", "segment", "pose"],
    split: Sequence[float],
    seed: str,
) -> Path:
    """Write images/, labels/ and data.yaml, with the folder's absolute path in it."""
    dataset.export(folder, format=_FORMATS[task], with_images=True, with_empty_images=True, split=split, seed=seed)
    description = folder / "data.yaml"
    text = description.read_text(encoding="utf8")
    # Ultralytics otherwise looks for the folder below its own setting for datasets.
    description.write_text(f"path: {json.dumps(str(folder.resolve()))}\n{text}", encoding="utf8")
    return description
