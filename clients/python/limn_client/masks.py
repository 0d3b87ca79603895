"""COCO run lengths and numpy masks. Needs numpy, unlike the rest of the package."""

from __future__ import annotations

from typing import Any, Mapping


def encode_mask(mask: Any) -> dict[str, Any]:
    """Return the COCO run lengths of a two-dimensional mask (height, width): zeros first, column by column."""
    import numpy

    flat = numpy.asarray(mask, dtype=bool)
    if flat.ndim != 2:
        raise ValueError("A mask has two dimensions: height and width.")
    pixels = flat.reshape(-1, order="F")
    changes = numpy.flatnonzero(pixels[1:] != pixels[:-1]) + 1
    runs = numpy.diff(numpy.concatenate(([0], changes, [pixels.size])))
    counts = [int(run) for run in runs]
    if pixels.size > 0 and pixels[0]:
        counts.insert(0, 0)
    return {"size": [int(flat.shape[0]), int(flat.shape[1])], "counts": counts}


def decode_mask(rle: Mapping[str, Any]) -> Any:
    """Return the mask (height, width) of COCO run lengths, as a list or compressed like pycocotools' strings."""
    import numpy

    height, width = rle["size"]
    counts = rle["counts"]
    runs = decompress(counts) if isinstance(counts, (str, bytes)) else list(counts)
    values = numpy.arange(len(runs)) % 2 == 1
    return numpy.repeat(values, runs).reshape((height, width), order="F")


def decompress(counts: str | bytes) -> list[int]:
    """Return the run lengths of a compressed string.

    Each number is written in groups of five bits, lowest first; bit 5 is set if another group follows, bit 4 of the
    last group is the sign. From the fourth number on, it is the difference to the number two positions before.
    """
    data = counts.encode() if isinstance(counts, str) else counts
    runs: list[int] = []
    value = shift = 0
    for byte in data:
        group = byte - 48
        value |= (group & 0x1F) << shift
        shift += 5
        if group & 0x20:
            continue
        if group & 0x10:
            value -= 1 << shift
        runs.append(value + runs[-2] if len(runs) > 2 else value)
        value = shift = 0
    return runs
