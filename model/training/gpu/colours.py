"""Other cameras, light and files, simulated in batches."""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from gpu.geometry import chance, uniform


# share of the boxes that are shown as small objects, and the sides of their crops, in image pixels
SMALL = 0.35
SMALL_SIDES = (18, 72)


def vary_colours(colours: Tensor) -> Tensor:
    """Returns varied colours (n, 3, size, size) in about -1..1. Like vary_colors in samples.py, and stronger."""
    n = len(colours)

    def some(share: float) -> Tensor:
        return torch.randperm(n, device=colours.device)[: max(1, round(n * share))]

    chosen = some(0.1)
    factor = 2 if torch.rand(()) < 0.6 else 4
    small = F.avg_pool2d(colours[chosen], factor)
    colours[chosen] = F.interpolate(small, size=colours.shape[-2:], mode="bilinear", align_corners=False)
    chosen = some(0.1)
    colours[chosen] = compressed(colours[chosen], float(torch.empty(()).uniform_(0.04, 0.2)))
    varied = chance(n, 0.8, colours).view(n, 1, 1, 1)
    bias = uniform(n, -0.35, 0.35, colours).view(n, 1, 1, 1)
    gain = uniform(n, 0.6, 1.4, colours).view(n, 1, 1, 1)
    tint = uniform(3 * n, 0.75, 1.25, colours).view(n, 3, 1, 1)
    gain = gain * torch.where(chance(n, 0.5, colours).view(n, 1, 1, 1), tint, 1.0)
    colours = torch.where(varied, (colours + bias) * gain, colours)
    turned = torch.eye(3, device=colours.device) + 0.2 * torch.randn(n, 3, 3, device=colours.device)
    turned = turned / turned.sum(2, keepdim=True).clamp(min=0.4)
    mixed = torch.einsum("nij,njhw->nihw", turned, colours)
    colours = torch.where(chance(n, 0.15, colours).view(n, 1, 1, 1), mixed, colours)
    grey = chance(n, 0.06, colours).view(n, 1, 1, 1)
    colours = torch.where(grey, colours.mean(1, keepdim=True), colours)
    chosen = some(0.08)
    colours[chosen] = blurred(colours[chosen], float(torch.empty(()).uniform_(0.5, 1.5)))
    noise = uniform(n, 0.02, 0.08, colours) * chance(n, 0.1, colours)
    colours = colours + torch.randn_like(colours) * noise.view(n, 1, 1, 1)
    return colours.clamp(-1.2, 1.2)


def shrunk(colours: Tensor, rows: Tensor) -> Tensor:
    """Returns colours with the chosen rows as if from a photograph in which the object is small."""
    size = colours.shape[-2:]
    for part in rows.nonzero()[:, 0].chunk(4):
        side = int(torch.randint(*SMALL_SIDES, ()))
        small = F.interpolate(colours[part], size=(side, side), mode="area")
        colours[part] = F.interpolate(small, size=size, mode="bilinear", align_corners=False)
    return colours


def blurred(colours: Tensor, sigma: float) -> Tensor:
    cells = torch.arange(-4, 5, device=colours.device)
    bell = torch.exp(-(cells**2) / (2 * sigma**2))
    bell = (bell / bell.sum()).expand(3, 1, 9)
    across = F.conv2d(F.pad(colours, (4, 4, 0, 0), "replicate"), bell[:, :, None], groups=3)
    return F.conv2d(F.pad(across, (0, 0, 4, 4), "replicate"), bell[:, :, :, None], groups=3)


def compressed(colours: Tensor, step: float) -> Tensor:
    """Returns colours after rounding of the cosine transform of blocks of 8 x 8, coarser for higher frequencies, as in JPEG."""
    n, channels, size, _ = colours.shape
    k = torch.arange(8, device=colours.device)
    cosines = torch.cos(math.pi / 8 * (k[None] + 0.5) * k[:, None]) * 0.5
    cosines[0] /= math.sqrt(2)
    blocks = colours.view(n, channels, size // 8, 8, size // 8, 8).transpose(3, 4)
    waves = cosines @ blocks @ cosines.T
    steps = step * (1 + 0.5 * (k[None] + k[:, None]))
    waves = torch.round(waves / steps) * steps
    return (cosines.T @ waves @ cosines).transpose(3, 4).reshape(colours.shape)
