"""Computes the network's input from clicks on a photograph. Keep it the same as model/dextr in TypeScript.

Clicks are pixel positions (x, y); the centre of pixel (0, 0) is at (0.5, 0.5) of the plane in which crops are measured.
"""

import numpy as np

GREY = 127
# sigma of a click in the heat map, as a share of the input's size
SIGMA = 10 / 512
# smallest distance between the clicks' box and the crop's, in image pixels
LEAST_PADDING = 4


def crop_box(clicks: np.ndarray, relative_padding: float) -> tuple[float, float, float, float]:
    """Returns left, top, right, bottom: the box of the clicks, extended on all sides by a share of its long side."""
    left, top = clicks.min(0)
    right, bottom = clicks.max(0) + 1
    padding = max(LEAST_PADDING, relative_padding * max(right - left, bottom - top))
    return left - padding, top - padding, right + padding, bottom + padding


def to_grid(box: tuple[float, float, float, float], size: int) -> np.ndarray:
    """Returns the 2 x 3 matrix from pixel positions to positions in a grid of size x size cells, both relative to the first centre."""
    left, top, right, bottom = box
    x = size / (right - left)
    y = size / (bottom - top)
    return np.array([[x, 0, x * (0.5 - left) - 0.5], [0, y, y * (0.5 - top) - 0.5]], np.float64)


def heat_map(clicks: np.ndarray, size: int) -> np.ndarray:
    """Returns the highest of the Gaussians around clicks in grid positions. (size, size) in 0..1."""
    spread = 2 * (size * SIGMA) ** 2
    cells = np.arange(size, dtype=np.float32)
    x = np.exp(-((cells - clicks[:, :1]) ** 2) / spread)
    y = np.exp(-((cells - clicks[:, 1:]) ** 2) / spread)
    return (y[:, :, None] * x[:, None, :]).max(0).astype(np.float32)


def extreme_points(mask: np.ndarray) -> np.ndarray:
    """Returns the top, right, bottom and left points of a mask, each the middle one of its outermost pixels. (4, 2) as x, y."""
    rows = np.flatnonzero(mask.any(1))
    columns = np.flatnonzero(mask.any(0))
    top, bottom, left, right = rows[0], rows[-1], columns[0], columns[-1]

    def middle(line: np.ndarray) -> int:
        places = np.flatnonzero(line)
        return places[len(places) // 2]

    return np.array(
        [[middle(mask[top]), top], [right, middle(mask[:, right])], [middle(mask[bottom]), bottom], [left, middle(mask[:, left])]],
        np.float64,
    )
