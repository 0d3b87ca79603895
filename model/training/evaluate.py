"""Computes the mean IoU of a network on packs, to monitor the training. The product's figures come from `npm run model:evaluate`."""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from guided import guided
from network import Dextr
from pack import Photograph, read_packs
from recipe import crop_box, extreme_points, heat_map, to_grid
from samples import view
from sources import TRAINED

BATCH = 16


def evaluate(
    network: torch.nn.Module,
    photographs: list[Photograph],
    size: int,
    *,
    relative_padding: float = 0.15,
    noise: float = 0.0,
    flip: bool = False,
    guide: bool = False,
    limit: int | None = None,
) -> dict[str, float]:
    """Returns the mean IoU by source, and of all objects under "all". `noise`: sigma of the clicks as a share of the object's box."""
    rng = np.random.default_rng(0)
    objects = [(photograph, mask) for photograph in photographs for mask in photograph.masks]
    if limit is not None:
        objects = objects[:: max(1, len(objects) // limit)]
    scores: dict[str, list[float]] = {}
    for start in range(0, len(objects), BATCH):
        batch = []
        for photograph, mask in objects[start : start + BATCH]:
            truth = np.zeros(photograph.pixels.shape[:2], bool)
            height, width = mask.pixels.shape
            truth[mask.y : mask.y + height, mask.x : mask.x + width] = mask.pixels > 127
            clicks = extreme_points(truth)
            clicks = clicks + rng.normal(size=(4, 2)) * noise * np.ptp(clicks, 0)
            grid = to_grid(crop_box(clicks, relative_padding), size)
            inputs = np.zeros((5, size, size), np.float32)
            inputs[:3] = view(photograph, grid, size).transpose(2, 0, 1) / 127.5 - 1
            inputs[3] = heat_map(clicks @ grid[:, :2].T + grid[:, 2], size)
            batch.append((photograph, truth, grid, inputs))
        probabilities = predict(network, np.stack([inputs for *_, inputs in batch]), flip, guide)
        for (photograph, truth, grid, _), probability in zip(batch, probabilities):
            height, width = truth.shape
            found = cv2.warpAffine(probability, grid, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP) > 0.5
            counted = slice(None) if photograph.ignored is None else ~photograph.ignored
            both = (found & truth)[counted].sum()
            either = (found | truth)[counted].sum()
            scores.setdefault(photograph.source, []).append(both / either if either else 1.0)
    means = {source: float(np.mean(values)) for source, values in sorted(scores.items())}
    return {**means, "all": float(np.mean([value for values in scores.values() for value in values]))}


@torch.no_grad()
def predict(network: torch.nn.Module, inputs: np.ndarray, flip: bool, guide: bool = False) -> np.ndarray:
    network.eval()
    device = next(network.parameters()).device
    x = torch.from_numpy(inputs).to(device).contiguous(memory_format=torch.channels_last)
    y = torch.sigmoid(network(x))
    if flip:
        y = (y + torch.sigmoid(network(x.flip(3))).flip(3)) / 2
    if guide:
        y = guided(y, x[:, :3])
    return y[:, 0].float().cpu().numpy()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--packs", default="val-*")
    options.add_argument("--size", type=int, default=256)
    options.add_argument("--padding", type=float, default=0.15, help="as a share of the long side")
    options.add_argument("--noise", type=float, default=0.0)
    options.add_argument("--flip", action="store_true")
    options.add_argument("--guide", action="store_true")
    options.add_argument("--all-sources", action="store_true")
    options.add_argument("--limit", type=int)
    chosen = options.parse_args()
    network = Dextr()
    network.load_state_dict(torch.load(chosen.checkpoint, map_location="cpu")["average"])
    photographs = read_packs(chosen.data, chosen.packs, None if chosen.all_sources else TRAINED)
    scores = evaluate(
        network.to(memory_format=torch.channels_last),
        photographs,
        chosen.size,
        relative_padding=chosen.padding,
        noise=chosen.noise,
        flip=chosen.flip,
        guide=chosen.guide,
        limit=chosen.limit,
    )
    print("  ".join(f"{source} {score:.4f}" for source, score in scores.items()))


if __name__ == "__main__":
    main()
