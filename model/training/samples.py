"""Training samples: random crops of random objects with random clicks. Sample n of a seed is always the same."""

from pathlib import Path

import cv2
import numpy as np
from torch.utils.data import Dataset

from pack import Mask, Photograph, read_packs
from recipe import GREY, crop_box, heat_map, to_grid
from sources import SHARES

# share of the samples with another object behind the target
WITH_OTHER = 0.3


class Samples(Dataset):
    """Sample n: network input (5, size, size), without corrections, and truth (1, size, size), float32. `phases` is [(samples, size), ...]."""

    def __init__(self, photographs: list[Photograph], phases: list[tuple[int, int]], seed: int, first: int = 0):
        self.phases = phases
        self.seed = seed
        self.first = first
        self.objects: dict[str, list[tuple[Photograph, Mask]]] = {}
        for photograph in photographs:
            for mask in photograph.masks:
                self.objects.setdefault(photograph.source, []).append((photograph, mask))
        self.sources = sorted(self.objects)
        shares = np.array([share_of(source, len(self.objects[source])) for source in self.sources])
        self.shares = shares / shares.sum()

    def __len__(self) -> int:
        return sum(samples for samples, _ in self.phases) - self.first

    def __getitem__(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        number = n + self.first
        rng = np.random.default_rng([self.seed, number])
        size = self.size_of(number)
        image, truth, heat = make_sample(*self.draw(rng), size, rng)
        if rng.random() < WITH_OTHER:
            image = put_behind(image, truth, *self.draw(rng), rng)
        inputs = np.concatenate([vary_colors(image, rng).transpose(2, 0, 1), heat[None], np.zeros_like(heat)[None]])
        return inputs, truth[None].astype(np.float32) / 255

    def draw(self, rng: np.random.Generator) -> tuple[Photograph, Mask]:
        """Returns a random object and its photograph."""
        source = self.sources[rng.choice(len(self.sources), p=self.shares)]
        objects = self.objects[source]
        return objects[rng.integers(len(objects))]

    def size_of(self, number: int) -> int:
        for samples, size in self.phases:
            if number < samples:
                return size
            number -= samples
        return self.phases[-1][1]


def share_of(source: str, masks: int) -> float:
    return SHARES.get(source, masks**0.75)


def read_training(folder: Path) -> list[Photograph]:
    from sources import TRAINED

    return read_packs(folder, "train-*", TRAINED)


def make_sample(photograph: Photograph, mask: Mask, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the crop (size, size, 3), the truth in 0..255 and the heat map in 0..1, both (size, size)."""
    turn = random_turn(rng)
    border = mask.border @ turn.T
    clicks = random_clicks(border, rng)
    relative_padding = rng.uniform(0.09, 0.17) if rng.random() < 0.85 else rng.uniform(0.05, 0.4)
    grid = to_grid(crop_box(clicks[:4], relative_padding), size)
    # photograph -> turned photograph -> grid
    whole = grid @ np.vstack([np.hstack([turn, np.zeros((2, 1))]), [0, 0, 1]])
    image = view(photograph, whole, size)
    truth = warp(mask.pixels, whole @ shift(mask.x, mask.y), size, 0)
    return image, truth, heat_map(clicks @ grid[:, :2].T + grid[:, 2], size)


def put_behind(image: np.ndarray, truth: np.ndarray, photograph: Photograph, mask: Mask, rng: np.random.Generator) -> np.ndarray:
    """Returns the crop with another object behind the target, rarely with another photograph as the whole background.

    After Ghiasi et al. 2021, "Simple Copy-Paste", but only behind, so that truth and clicks stay the same.
    """
    size = len(image)
    high, wide = mask.pixels.shape
    scale = size * rng.uniform(0.4, 1.1) / max(high, wide)
    mirror = -1 if rng.random() < 0.5 else 1
    turn = np.diag([mirror * scale, scale])
    middle = rng.uniform(0.05, 0.95, 2) * size
    grid = np.hstack([turn, (middle - turn @ [mask.x + wide / 2, mask.y + high / 2])[:, None]])
    other = view(photograph, grid, size)
    if rng.random() < 0.2:
        seen = np.full_like(truth, 255)
    else:
        seen = warp(mask.pixels, grid @ shift(mask.x, mask.y), size, 0)
    share = (seen / np.float32(255) * (1 - truth / np.float32(255)))[..., None]
    return (image + (other.astype(np.float32) - image) * share).astype(np.uint8)


def random_turn(rng: np.random.Generator) -> np.ndarray:
    """Returns a random mirroring, rotation and stretching. Quarter turns are rare, since photographs have an up direction."""
    angle = 0.0
    if rng.random() < 0.4:
        angle = np.deg2rad(rng.uniform(-20, 20))
    elif rng.random() < 0.03:
        angle = np.pi / 2 * rng.integers(1, 4)
    cos, sin = np.cos(angle), np.sin(angle)
    mirror = -1 if rng.random() < 0.5 else 1
    return np.array([[cos, -sin], [sin, cos]]) @ np.diag([mirror * rng.uniform(0.85, 1.18), 1])


def random_clicks(border: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns four extreme points as users click them, sometimes with up to six more on the border."""
    low, high = border.min(0), border.max(0)
    extent = high - low
    reach = 1 + 0.01 * extent
    near = [
        border[:, 1] <= low[1] + reach[1],
        border[:, 0] >= high[0] - reach[0],
        border[:, 1] >= high[1] - reach[1],
        border[:, 0] <= low[0] + reach[0],
    ]
    chosen = [rng.choice(np.flatnonzero(places)) for places in near]
    if rng.random() < 0.2:
        chosen += list(rng.integers(len(border), size=rng.integers(1, 7)))
    clicks = border[chosen].astype(np.float64)
    noise = rng.choice([0, 0.01, 0.02, 0.035], p=[0.4, 0.25, 0.25, 0.1])
    return clicks + rng.normal(size=clicks.shape) * noise * extent


def view(photograph: Photograph, grid: np.ndarray, size: int) -> np.ndarray:
    """Returns the crop (size, size, 3), grey outside the photograph. At less than half its scale, the half-size photograph is read."""
    if abs(np.linalg.det(grid[:, :2])) < 0.25:
        # position p of the half-size photograph is position 2 p + 0.5 of the full-size one
        return warp(photograph.half, grid @ np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]]), size, GREY)
    return warp(photograph.pixels, grid, size, GREY)


def warp(pixels: np.ndarray, matrix: np.ndarray, size: int, outside: int) -> np.ndarray:
    return cv2.warpAffine(
        pixels, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(outside,) * 3
    )


def shift(x: float, y: float) -> np.ndarray:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


def vary_colors(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Simulates another camera, light and file. Returns colours in about -1..1."""
    size = len(image)
    if rng.random() < 0.08:
        small = max(16, int(size / rng.uniform(1.5, 4)))
        image = cv2.resize(cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA), (size, size), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.06:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(20, 70))])
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    colors = image.astype(np.float32) / 127.5 - 1
    if rng.random() < 0.8:
        colors = (colors + np.float32(rng.uniform(-0.35, 0.35))) * np.float32(rng.uniform(0.6, 1.4))
        if rng.random() < 0.5:
            colors = colors * rng.uniform(0.75, 1.25, 3).astype(np.float32)
        if rng.random() < 0.08:
            colors = np.repeat(colors.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.06:
        colors = cv2.GaussianBlur(colors, (0, 0), rng.uniform(0.5, 1.5))
    if rng.random() < 0.1:
        colors = colors + rng.normal(0, rng.uniform(0.02, 0.08), colors.shape).astype(np.float32)
    return np.clip(colors, -1.2, 1.2)
