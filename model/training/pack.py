"""Reads photographs with object masks from packs, pairs of NAME.json and NAME.bin.

NAME.json: {"format": "dextr-pack-1", "items": [{"s": source, "w": width, "h": height, "i": [offset, length] of the photograph,
"m": [[x, y, width, height, offset, length] of a mask that covers this box, ...], "g": [offset, length] of ignored pixels}]}
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np


@dataclass
class Mask:
    """The mask of an object, 255 inside, in a box whose top left pixel is (x, y)."""

    x: int
    y: int
    pixels: np.ndarray
    # pixels on the object's border, (n, 2) as x, y in the photograph
    border: np.ndarray


@dataclass
class Photograph:
    """A photograph in red, green, blue order; `half` is the photograph at half the size."""

    source: str
    pixels: np.ndarray
    half: np.ndarray
    masks: list[Mask]
    ignored: np.ndarray | None


def read_packs(folder: Path, pattern: str, sources: set[str] | None = None) -> list[Photograph]:
    """Returns all photographs of the packs that match, from the given sources or from all."""
    photographs = []
    for path in sorted(folder.glob(f"{pattern}.json")):
        pack = json.loads(path.read_text())
        if pack.get("format") != "dextr-pack-1":
            raise ValueError(f"{path}: unknown format {pack.get('format')}")
        data = np.fromfile(path.with_suffix(".bin"), np.uint8)
        photographs += [read_item(item, data) for item in pack["items"] if sources is None or item["s"] in sources]
    return photographs


def read_item(item: dict, data: np.ndarray) -> Photograph:
    pixels = cv2.cvtColor(decode(data, *item["i"], cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    ignored = decode(data, *item["g"], cv2.IMREAD_GRAYSCALE) > 0 if "g" in item else None
    masks = []
    for x, y, _, _, offset, length in item["m"]:
        mask = decode(data, offset, length, cv2.IMREAD_GRAYSCALE)
        masks.append(Mask(x, y, mask, border_of(mask) + (x, y)))
    return Photograph(item["s"], pixels, half, masks, ignored)


def decode(data: np.ndarray, offset: int, length: int, flags: int) -> np.ndarray:
    return cv2.imdecode(data[offset : offset + length], flags)


def border_of(mask: np.ndarray) -> np.ndarray:
    contours, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.concatenate([contour[:, 0] for contour in contours]).astype(np.float32)
