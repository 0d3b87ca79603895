"""Writes packs small enough to be sent to a GPU machine, with a measure of how exact each mask is.

    python -m gpu.prepare --out FOLDER --budget 50 FOLDER_OF_PACKS ...

A source NAME_480 has the photographs of the source NAME at a larger size, and replaces it. Each item gets "d": for each mask the mean
distance in pixels by which the guided filter moves its border, if the source has both exact and inexact masks, otherwise 0. The borders
of exact masks hardly move.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from pack import decode
from sources import TRAINED

LARGER = "_480"
# sources whose photographs are stored again with a lower quality, and that quality
SMALLER = {"animals_komahomu": 66, "feral_cat": 66}
# sources with both exact and inexact masks
MEASURED = {"animals_komahomu"}
RADIUS = 4
SOFTNESS = 0.004
MARGIN = 12


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--budget", type=float, required=True, help="megabytes of each pack")
    options.add_argument("folders", type=Path, nargs="+")
    chosen = options.parse_args()
    packs = [read(path) for folder in chosen.folders for path in sorted(folder.glob("train*.json"))]
    larger = {item["s"].removesuffix(LARGER) for items, _ in packs for item in items if item["s"].endswith(LARGER)}
    entries = []
    for items, data in packs:
        for item in items:
            source = item["s"].removesuffix(LARGER)
            if source in TRAINED and (item["s"].endswith(LARGER) or source not in larger):
                entries.append(stored({**item, "s": source}, data))
    # everyday scenes first, so that the first pack is useful alone
    entries.sort(key=lambda entry: (not entry[0]["s"].startswith("coco"), entry[0]["s"] in SMALLER))
    write(chosen.out, entries, chosen.budget * 1e6)


def read(path: Path) -> tuple[list[dict], np.ndarray]:
    return json.loads(path.read_text())["items"], np.fromfile(path.with_suffix(".bin"), np.uint8)


def stored(item: dict, data: np.ndarray) -> tuple[dict, list[bytes]]:
    """Returns the item and its bytes: photograph, then masks."""
    photograph = data[item["i"][0] : sum(item["i"])].tobytes()
    pixels = decode(data, *item["i"], cv2.IMREAD_COLOR)
    if item["s"] in SMALLER:
        photograph = cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, SMALLER[item["s"]]])[1].tobytes()
    colours = pixels.astype(np.float32) / 127.5 - 1
    masks = [decode(data, *mask[4:], cv2.IMREAD_GRAYSCALE) for mask in item["m"]]
    measured = item["s"] in MEASURED
    moved = [round(displacement(colours, mask, *entry[:2]), 3) if measured else 0 for mask, entry in zip(masks, item["m"])]
    return {**item, "d": moved}, [photograph, *(data[at : at + length].tobytes() for *_, at, length in item["m"])]


def displacement(colours: np.ndarray, mask: np.ndarray, left: int, top: int) -> float:
    """Returns the area by which the guided filter changes the mask, divided by the length of its border, in pixels."""
    high, wide = mask.shape
    y, x = max(0, top - MARGIN), max(0, left - MARGIN)
    guide = colours[y : top + high + MARGIN, x : left + wide + MARGIN]
    truth = np.zeros(guide.shape[:2], np.float32)
    truth[top - y : top - y + high, left - x : left - x + wide] = mask > 127
    changed = np.abs((guided(truth, guide) > 0.5) - truth).sum()
    border = truth - cv2.erode(truth, np.ones((3, 3), np.uint8))
    return float(changed / max(1, border.sum()))


def guided(truth: np.ndarray, guide: np.ndarray) -> np.ndarray:
    """Returns the guided filter of the recipe at full resolution."""

    def around(x: np.ndarray) -> np.ndarray:
        return cv2.blur(x, (2 * RADIUS + 1, 2 * RADIUS + 1))

    mean, mean_truth = around(guide), around(truth)
    products = (guide[..., :, None] * guide[..., None, :]).reshape(*guide.shape[:2], 9)
    spread = np.concatenate([around(np.ascontiguousarray(products[..., n : n + 3])) for n in (0, 3, 6)], 2)
    matrix = spread.reshape(*guide.shape[:2], 3, 3) - mean[..., :, None] * mean[..., None, :] + SOFTNESS * np.eye(3, dtype=np.float32)
    slopes = np.linalg.solve(matrix, (around(guide * truth[..., None]) - mean * mean_truth[..., None])[..., None])[..., 0]
    rest = mean_truth - (slopes * mean).sum(2)
    return (around(slopes.astype(np.float32)) * guide).sum(2) + around(rest)


def write(folder: Path, entries: list[tuple[dict, list[bytes]]], limit: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    number, items, parts, size = 0, [], [], 0
    for item, blobs in entries:
        if size + sum(map(len, blobs)) > limit:
            finish(folder / f"train-{number}", items, parts)
            number, items, parts, size = number + 1, [], [], 0
        places = []
        for blob in blobs:
            places.append([size, len(blob)])
            size += len(blob)
        masks = [[*mask[:4], *place] for mask, place in zip(item["m"], places[1:])]
        items.append({**{k: item[k] for k in ("s", "w", "h", "d")}, "i": places[0], "m": masks})
        parts += blobs
    finish(folder / f"train-{number}", items, parts)


def finish(path: Path, items: list[dict], parts: list[bytes]) -> None:
    path.with_suffix(".json").write_text(json.dumps({"format": "dextr-pack-1", "items": items}, separators=(",", ":")))
    path.with_suffix(".bin").write_bytes(b"".join(parts))
    print(path.name, len(items), "photographs", sum(map(len, parts)) / 1e6, "MB")


if __name__ == "__main__":
    main()
