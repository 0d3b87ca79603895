"""Clicks on objects, batched: extreme points, further points on the border, boxes, and corrections."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from gpu.geometry import chance, random_pixels, uniform
from recipe import LEAST_PADDING, SIGMA

# share of the samples with a box instead of clicks, share of these boxes that are exact, and the strength of the middles of the sides in
# the heat map
BOXES = 0.3
EXACT_BOXES = 0.5
BOX_STRENGTH = 0.5
MORE = 6
# smallest depth of an error, in cells of half the resolution, that is corrected, and the largest depth that is measured
LEAST_ERROR = 2
DEEPEST = 24
# share of the corrections that are anywhere in an error, and not in the middle of the largest one
ANYWHERE = 0.3


@dataclass
class Clicks:
    """Clicks on a canvas: `places` (n, k, 2), their `strength` (n, k), and the corners of the crop, `low` and `high` (n, 2).

    `extremes` (n, 4, 2) are the exact points, whether or not they are clicked, and `boxed` (n) is true for boxes.
    """

    places: Tensor
    strength: Tensor
    extremes: Tensor
    boxed: Tensor
    low: Tensor
    high: Tensor


def click(truth: Tensor, unit: Tensor) -> Clicks:
    """Returns random clicks on objects (n, 1, side, side). `unit`: (n, 2) image pixels per pixel of the canvas."""
    n, side = len(truth), truth.shape[-1]
    exact = chance(n, 0.45, unit)
    noise = torch.where(exact, 0.0, torch.where(chance(n, 0.45, unit), 0.01, 0.025))
    reach = torch.where(exact & chance(n, 0.5, unit), 0.0, 1.0)
    low, high, extremes = extreme_points(truth, unit, reach)
    extent = high - low
    clicks = extremes + torch.randn_like(extremes) * (noise[:, None] * extent)[:, None]

    # boxes: only the sides are known, and they are sometimes inexact
    loose = torch.where(chance(n, EXACT_BOXES, unit), 0.0, uniform(n, 0.0, 0.03, unit))[:, None] * extent
    first, last = low + torch.randn_like(low) * loose, high + torch.randn_like(low) * loose
    middle = (first + last) / 2
    sides = torch.stack(
        [
            torch.stack([middle[:, 0], first[:, 1]], 1),
            torch.stack([last[:, 0], middle[:, 1]], 1),
            torch.stack([middle[:, 0], last[:, 1]], 1),
            torch.stack([first[:, 0], middle[:, 1]], 1),
        ],
        1,
    )
    boxed = chance(n, BOXES, unit)
    clicks = torch.where(boxed.view(n, 1, 1), sides, clicks)
    strength = torch.where(boxed, BOX_STRENGTH, 1.0)[:, None].expand(n, 4)

    # the crop
    half = 0.5 / unit
    first, last = clicks.amin(1) - half, clicks.amax(1) + half
    share = torch.where(chance(n, 0.85, unit), uniform(n, 0.08, 0.14, unit), uniform(n, 0.05, 0.3, unit))
    padding = (share * ((last - first) * unit).amax(1)).clamp(min=LEAST_PADDING)[:, None] / unit

    # more clicks on the border; without them, the first click is repeated
    inside = truth.float()
    border = inside + F.max_pool2d(-inside, 3, 1, 1)
    more = random_pixels(border, MORE) + torch.randn(n, MORE, 2, device=unit.device) * (noise[:, None] * extent)[:, None]
    count = torch.where(chance(n, 0.2, unit) & ~boxed, torch.randint(1, MORE + 1, (n,), device=unit.device), 0)
    used = torch.arange(MORE, device=unit.device)[None] < count[:, None]
    places = torch.cat([clicks, torch.where(used[..., None], more, clicks[:, :1])], 1)
    strength = torch.cat([strength, strength[:, :1].expand(n, MORE)], 1)
    return Clicks(places, strength, extremes, boxed, first - padding, last + padding)


def extreme_points(truth: Tensor, unit: Tensor, reach: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the corners of the objects' boxes, at pixel centres, and random extreme points: top, right, bottom, left (n, 4, 2).

    A point is extreme if its distance from the side of the box is at most `reach` times one image pixel plus 1 % of the extent.
    """
    n, side = len(truth), truth.shape[-1]
    columns, rows = truth.any(2)[:, 0], truth.any(3)[:, 0]
    ends = [line.float().argmax(1) for line in (columns, rows, columns.flip(1), rows.flip(1))]
    low = torch.stack([ends[0], ends[1]], 1) + 0.5
    high = side - torch.stack([ends[2], ends[3]], 1) - 0.5
    near = reach[:, None] * (1 / unit + 0.01 * (high - low))
    cells = torch.arange(side, device=unit.device) + 0.5
    x, y = cells.view(1, 1, 1, -1), cells.view(1, 1, -1, 1)

    def at(values: Tensor) -> Tensor:
        return values.view(n, 1, 1, 1) + 0.0

    chosen = [
        truth & (y <= at(low[:, 1] + near[:, 1])),
        truth & (x >= at(high[:, 0] - near[:, 0])),
        truth & (y >= at(high[:, 1] - near[:, 1])),
        truth & (x <= at(low[:, 0] + near[:, 0])),
    ]
    return low, high, torch.cat([random_pixels(where.float(), 1) for where in chosen], 1)


def heat_maps(places: Tensor, strength: Tensor, size: int) -> Tensor:
    """Returns the highest of the Gaussians around positions (n, k, 2) of a grid, times their strength. (n, 1, size, size)"""
    spread = 2 * (size * SIGMA) ** 2
    cells = torch.arange(size, device=places.device) + 0.5
    bells = torch.exp(-((cells - places[..., None]) ** 2) / spread)
    heat = torch.zeros(len(places), size, size, device=places.device)
    for k in range(places.shape[1]):
        torch.maximum(heat, strength[:, k, None, None] * bells[:, k, 1, :, None] * bells[:, k, 0, None, :], out=heat)
    return heat[:, None]


def corrected(inputs: Tensor, logits: Tensor, truth: Tensor, weight: Tensor) -> Tensor:
    """Returns the inputs with one more correction each, mostly in the middle of the largest error, unless all errors are too small.

    The middle is the pixel farthest from the error's border: the last that remains when the error is eroded.
    """
    n, size = len(inputs), inputs.shape[-1]
    inside = truth > 0.5
    wrong = (((logits > 0) != inside) & (weight > 0)).float()
    left = (F.avg_pool2d(wrong, 2) > 0.5).float()
    depth = left.clone()
    for _ in range(DEEPEST):
        left = -F.max_pool2d(-left, 3, 1, 1)
        depth += left
    anywhere = chance(n, ANYWHERE, depth).view(n, 1, 1, 1)
    depth = torch.where(anywhere, depth.clamp(max=LEAST_ERROR), depth)
    deepest, place = (depth + 0.5 * torch.rand_like(depth)).flatten(1).max(1)
    half = size // 2
    x, y = (place % half) * 2 + 1, (place // half) * 2 + 1
    missed = inside[torch.arange(n, device=x.device), 0, y, x].view(n, 1, 1, 1)
    places = torch.stack([x, y], 1)[:, None] + torch.randn(n, 1, 2, device=x.device)
    heat = heat_maps(places, torch.ones(n, 1, device=x.device), size) * (deepest >= LEAST_ERROR).view(n, 1, 1, 1)
    before = inputs[:, 4:5]
    more = torch.maximum(before.clamp(min=0), heat * missed)
    less = torch.maximum((-before).clamp(min=0), heat * ~missed)
    return torch.cat([inputs[:, :4], more - less], 1)
