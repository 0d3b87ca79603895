"""All photographs, masks and drawings of the packs as tensors on the device that trains, so that samples can be made there."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from pack import decode
from samples import share_of

# side of the square in which each photograph or drawing lies at the top left
PHOTOGRAPH = 480
DRAWING = 192
# number of points that represent a mask's convex hull
HULL = 64

# how far a mask can be trusted: COARSE ones are polygons that cut corners, EXACT ones follow the pixels
COARSE, USUAL, EXACT = 0, 1, 2
COARSE_SOURCES = {"coco_frag", "coco_person", "car_damage", "brain_tumor", "pothole", "dog_cat", "borrat_person", "fire_truck", "facade"}
EXACT_SOURCES = {"feral_cat", "dsb2018", "embryo", "iotkits", "person_awwaliahus", "person_tlinh", "medical_waste"}
# an animal's mask is exact if the guided filter moves its border by fewer pixels than this
AGREES = 0.41
# share of the objects of a source that may be cut out: sources of whole objects with exact masks
CUT_OUT = {"feral_cat": 1.0, "animals_komahomu": 1.0, "iotkits": 0.15, "person_awwaliahus": 0.2, "person_tlinh": 0.3, "balloon": 0.3, "ccp": 0.15}


@dataclass
class Bank:
    """`pixels` (n, 3, side, side) and `sizes` (n, 2: width, height) are photographs; `masks` (m, side, side) are 0 or 1."""

    pixels: Tensor
    sizes: Tensor
    masks: Tensor
    photograph_of: Tensor
    hulls: Tensor
    trust: Tensor
    # for each mask (m) the weight with which it is chosen as a target and as a cut-out
    shares: Tensor
    cut_out: Tensor


def read_bank(folders: list[Path], device: torch.device, limit: int | None = None) -> Bank:
    """Reads all packs train-*.json of the folders."""
    items = [(item, data) for folder in folders for path in sorted(folder.glob("train-*.json")) for item, data in read(path)]
    items = items[:: max(1, len(items) // limit)] if limit else items
    starts = np.cumsum([0, *(len(item["m"]) for item, _ in items)])
    pixels = np.full((len(items), PHOTOGRAPH, PHOTOGRAPH, 3), 127, np.uint8)
    masks = np.zeros((starts[-1], PHOTOGRAPH, PHOTOGRAPH), np.uint8)
    hulls = np.zeros((starts[-1], HULL, 2), np.float32)

    def fill(n: int) -> None:
        item, data = items[n]
        photograph = cv2.cvtColor(decode(data, *item["i"], cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        pixels[n, : len(photograph), : photograph.shape[1]] = photograph
        for k, (x, y, wide, high, at, length) in enumerate(item["m"]):
            mask = decode(data, at, length, cv2.IMREAD_GRAYSCALE) > 127
            masks[starts[n] + k, y : y + high, x : x + wide] = mask
            hulls[starts[n] + k] = hull_of(mask) + (x, y)

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(fill, range(len(items))))
    sources = [item["s"] for item, _ in items for _ in item["m"]]
    moved = [moved for item, _ in items for moved in item["d"]]
    counts = {source: sources.count(source) for source in set(sources)}
    trust = [trust_of(source, far) for source, far in zip(sources, moved)]
    ends = np.repeat([[item["w"], item["h"]] for item, _ in items], np.diff(starts), 0)
    low, high = hulls.min(1), hulls.max(1)
    # objects that the photograph's border cuts, or that are small, are not cut out
    complete = (low > 2).all(1) & (high < ends - 2).all(1) & ((high - low).min(1) > 30)
    return Bank(
        pixels=torch.from_numpy(pixels).to(device).permute(0, 3, 1, 2).contiguous(),
        sizes=torch.tensor([[item["w"], item["h"]] for item, _ in items], dtype=torch.float32, device=device),
        masks=torch.from_numpy(masks).to(device),
        photograph_of=torch.from_numpy(np.repeat(np.arange(len(items)), np.diff(starts))).to(device),
        hulls=torch.from_numpy(hulls).to(device),
        trust=torch.tensor(trust, device=device),
        shares=torch.tensor([share_of(source, counts[source]) / counts[source] for source in sources], device=device),
        cut_out=torch.tensor(
            [
                CUT_OUT.get(source, 0.0) * (level == EXACT or source in ("balloon", "ccp")) * float(usable)
                for source, level, usable in zip(sources, trust, complete)
            ],
            dtype=torch.float32,
            device=device,
        ),
    )


def read(path: Path) -> list[tuple[dict, np.ndarray]]:
    data = np.fromfile(path.with_suffix(".bin"), np.uint8)
    return [(item, data) for item in json.loads(path.read_text())["items"]]


def trust_of(source: str, moved: float) -> int:
    if source in COARSE_SOURCES:
        return COARSE
    return EXACT if source in EXACT_SOURCES or (source == "animals_komahomu" and moved < AGREES) else USUAL


def hull_of(mask: np.ndarray) -> np.ndarray:
    """Returns HULL points of the mask's convex hull, at pixel centres."""
    points = cv2.findNonZero(mask.astype(np.uint8))
    hull = cv2.convexHull(points)[:, 0].astype(np.float32) + 0.5 if points is not None else np.zeros((1, 2), np.float32)
    if len(hull) > HULL:
        hull = hull[np.linspace(0, len(hull) - 1, HULL).round().astype(int)]
    return np.concatenate([hull, np.repeat(hull[:1], HULL - len(hull), 0)])


@dataclass
class Drawings:
    """`pixels` (n, 4, side, side): red, green, blue times alpha, and alpha, all in 0..255."""

    pixels: Tensor
    hulls: Tensor


def read_drawings(path: Path, device: torch.device, limit: int | None = None) -> Drawings:
    """Reads the drawings that art.mjs has made. Drawings that cover most of their box, or hardly anything of it, are left out."""
    entries = read(path)[:: max(1, len(json.loads(path.read_text())["items"]) // limit) if limit else 1]
    pixels = np.zeros((len(entries), DRAWING, DRAWING, 4), np.uint8)
    hulls = np.zeros((len(entries), HULL, 2), np.float32)
    kept = np.zeros(len(entries), bool)

    def fill(n: int) -> None:
        item, data = entries[n]
        drawing = decode(data, *item["i"], cv2.IMREAD_UNCHANGED)
        if drawing.ndim < 3 or drawing.shape[2] < 4:
            return
        alpha = drawing[..., 3:].astype(np.float32) / 255
        high, wide = alpha.shape[:2]
        covered = (alpha > 0.5).mean()
        kept[n] = 0.04 < covered < 0.8
        pixels[n, :high, :wide, :3] = drawing[..., 2::-1] * alpha
        pixels[n, :high, :wide, 3:] = drawing[..., 3:]
        hulls[n] = hull_of(alpha[..., 0] > 0.5)

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(fill, range(len(entries))))
    return Drawings(torch.from_numpy(pixels[kept]).to(device).permute(0, 3, 1, 2).contiguous(), torch.from_numpy(hulls[kept]).to(device))
