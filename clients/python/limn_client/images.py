"""Images and their annotations."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping, Sequence

from .files import write_whole
from .masks import encode_mask
from .transport import Transport

#: A COCO annotation: id, image_id, category_id, segmentation, area, bbox, iscrowd, and keypoints if there are any.
Annotation = dict[str, Any]


class Image:
    """An image of a dataset.

    Attributes:
        id: Id of the image.
        path: Path in the dataset, with `/` between names.
        file_name: Last part of the path.
        width: Width of the upright image in pixels.
        height: Height of the upright image in pixels.
        num_annotations: Number of its annotations.
        done: True if a user has marked it as done.
    """

    def __init__(self, transport: Transport, row: Mapping[str, Any]) -> None:
        self._transport = transport
        self.id: int = row["id"]
        self.path: str = row["path"]
        self.file_name: str = row["file_name"]
        self.width: int = row["width"]
        self.height: int = row["height"]
        self.num_annotations: int = row["num_annotations"]
        self.done: bool = row["done"]

    def coco(self) -> dict[str, Any]:
        """Return images, categories and annotations as a COCO dict, which pycocotools reads."""
        found: dict[str, Any] = self._transport.json("GET", f"image/{self.id}/coco")
        return found

    def annotations(self) -> list[Annotation]:
        """Return the annotations as COCO dicts, in pixels from the top left corner."""
        found: list[Annotation] = self.coco()["annotations"]
        return found

    def add_annotation(
        self,
        category_id: int,
        *,
        segmentation: Sequence[Sequence[float]] | Mapping[str, Any] | None = None,
        bbox: Sequence[float] | None = None,
        mask: Any = None,
        keypoints: Sequence[float] | None = None,
        iscrowd: bool = False,
        metadata: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Add an annotation and return it as the server has stored it, with id, area and bbox.

        Args:
            segmentation: Polygons as flat lists of x and y, or COCO run lengths.
            bbox: x, y, width and height, for an annotation that is only a box.
            mask: A numpy array (height, width) of truth values, instead of `segmentation`.
            keypoints: Flat triples x, y, visibility in the order of the category's labels.
        """
        body = {
            "image_id": self.id,
            "category_id": category_id,
            "segmentation": encode_mask(mask) if mask is not None else segmentation,
            "bbox": bbox,
            "keypoints": keypoints,
            "iscrowd": iscrowd or None,
            "metadata": metadata,
            "attributes": attributes,
        }
        given = {name: value for name, value in body.items() if value is not None}
        made: dict[str, Any] = self._transport.json("POST", "annotation/", body=given)
        return made

    def update_annotation(self, annotation_id: int, **fields: Any) -> dict[str, Any]:
        """Change fields of an annotation: segmentation, bbox, category_id, metadata, attributes, keypoints, color."""
        changed: dict[str, Any] = self._transport.json("PUT", f"annotation/{annotation_id}", body=fields)
        return changed

    def delete_annotation(self, annotation_id: int) -> None:
        """Move an annotation to the trash."""
        self._transport.send("DELETE", f"annotation/{annotation_id}")

    def download(self, path: str | os.PathLike[str]) -> Path:
        """Write the stored file to `path`. A file that is not complete never has this name."""
        response = self._transport.send("GET", f"image/{self.id}", query={"original": True}, stream=True)
        return write_whole(response, Path(path))

    def delete(self) -> None:
        """Move the image to the trash."""
        self._transport.send("DELETE", f"image/{self.id}")

    def __repr__(self) -> str:
        return f"<Image {self.id}: {self.path}>"
