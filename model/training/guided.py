"""The guided filter of the recipe, differentiable. Keep it the same as model/dextr/predict/guided.ts.

He, Sun and Tang 2010, "Guided Image Filtering"; He and Sun 2015, "Fast Guided Filter". Training through it as in Wu et al.
2018, "Fast End-to-End Trainable Guided Filter". It is linear in the probability.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

# pixels at half the resolution
RADIUS = 2
# variance of colours in -1..1
SOFTNESS = 0.004


def guided(probability: Tensor, colours: Tensor) -> Tensor:
    """Returns the probability (n, 1, h, w), its borders moved to where colours (n, 3, h, w, in -1..1) change. May slightly exceed 0..1."""
    guide = F.avg_pool2d(colours, 2)
    found = F.avg_pool2d(probability, 2)
    mean_guide = around(guide)
    mean_found = around(found)
    covariance = around(guide * found) - mean_guide * mean_found
    slopes = solve(spread(guide, mean_guide), covariance)
    rest = mean_found - (slopes * mean_guide).sum(1, keepdim=True)
    coefficients = F.interpolate(around(torch.cat([slopes, rest], 1)), scale_factor=2, mode="bilinear", align_corners=False)
    return (coefficients[:, :3] * colours).sum(1, keepdim=True) + coefficients[:, 3:]


def around(x: Tensor) -> Tensor:
    """Returns the mean of the square around each pixel, without the part outside."""
    return F.avg_pool2d(x, 2 * RADIUS + 1, 1, RADIUS, count_include_pad=False)


def spread(guide: Tensor, mean: Tensor) -> tuple[Tensor, ...]:
    """Returns the covariances of the colours around each pixel: rr, rg, rb, gg, gb, bb, each (n, h, w)."""
    first, second = [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]
    products = around(guide[:, first] * guide[:, second]) - mean[:, first] * mean[:, second]
    products[:, [0, 3, 5]] += SOFTNESS
    return products.unbind(1)


def solve(matrix: tuple[Tensor, ...], right: Tensor) -> Tensor:
    """Solves symmetric systems of three equations by cofactors. `right` and the result are (n, 3, h, w)."""
    xx, xy, xz, yy, yz, zz = matrix
    c00, c01, c02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    c11, c12, c22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    x, y, z = right.unbind(1)
    solution = torch.stack([c00 * x + c01 * y + c02 * z, c01 * x + c11 * y + c12 * z, c02 * x + c12 * y + c22 * z], 1)
    return solution / (xx * c00 + xy * c01 + xz * c02).unsqueeze(1)
