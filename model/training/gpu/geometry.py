"""Affine views of photographs, batched. Positions are in pixels of a plane; the centre of the first pixel is at (0.5, 0.5)."""

import torch
from torch import Tensor
from torch.nn import functional as F


def uniform(n: int, low: float, high: float, like: Tensor) -> Tensor:
    return torch.empty(n, device=like.device).uniform_(low, high)


def chance(n: int, share: float, like: Tensor) -> Tensor:
    return torch.rand(n, device=like.device) < share


def warp(pixels: Tensor, matrix: Tensor, offset: Tensor, size: int) -> Tensor:
    """Returns (n, channels, size, size): the target's value at p is the source's at `matrix` p + `offset`, 0 outside the source."""
    side = pixels.shape[-1]
    moved = 2 / side * (matrix.sum(2) * (size / 2) + offset) - 1
    theta = torch.cat([matrix * (size / side), moved[..., None]], 2)
    grid = F.affine_grid(theta, [len(pixels), 1, size, size], align_corners=False)
    return F.grid_sample(pixels, grid, "bilinear", "zeros", align_corners=False)


def random_turns(n: int, like: Tensor, often: float = 0.4, most: float = 20) -> Tensor:
    """Returns random mirrorings, rotations and stretchings, (n, 2, 2), from the photograph to its turned form."""
    angle = torch.deg2rad(uniform(n, -most, most, like)) * chance(n, often, like)
    angle = torch.where(chance(n, 0.03, like), torch.pi / 2 * torch.randint(1, 4, (n,), device=like.device), angle)
    mirror = torch.where(chance(n, 0.5, like), 1.0, -1.0) * uniform(n, 0.85, 1.18, like)
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([cos * mirror, -sin], 1), torch.stack([sin * mirror, cos], 1)], 1)


def canvas_around(hulls: Tensor, turns: Tensor, margin: Tensor, size: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Returns the view of a canvas around turned objects: matrix, offset, the unit (turned pixels per canvas pixel) and the top left."""
    turned = hulls @ turns.transpose(1, 2)
    low, high = turned.amin(1) - 0.5, turned.amax(1) + 0.5
    around = (margin * (high - low).amax(1)).clamp(min=8)[:, None]
    low, high = low - around, high + around
    unit = (high - low) / size
    back = torch.linalg.inv(turns)
    return back * unit[:, None], (back @ low[..., None])[..., 0], unit, low


def random_places(sizes: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Returns the view of a random part of each photograph, of at least half its width and height."""
    n = len(sizes)
    extent = sizes * torch.rand(n, 2, device=sizes.device).mul(0.5).add(0.5)
    corner = (sizes - extent) * torch.rand(n, 2, device=sizes.device)
    mirrored = chance(n, 0.5, sizes)
    step = extent / size
    across = torch.where(mirrored, -step[:, 0], step[:, 0])
    matrix = torch.diag_embed(torch.stack([across, step[:, 1]], 1))
    start = torch.where(mirrored, corner[:, 0] + extent[:, 0], corner[:, 0])
    return matrix, torch.stack([start, corner[:, 1]], 1)


def random_pixels(weight: Tensor, count: int) -> Tensor:
    """Returns random positions (n, count, 2) where the weight (n, 1, h, w), 0 or 1, is 1: pixel centres."""
    wide = weight.shape[-1]
    scores = torch.rand_like(weight[:, 0], dtype=torch.float32).mul_(weight[:, 0]).flatten(1)
    places = scores.topk(count, 1).indices if count > 1 else scores.argmax(1, keepdim=True)
    return torch.stack([places % wide, places // wide], 2) + 0.5


def ellipses(middle: Tensor, radii: Tensor, power: Tensor, size: int) -> Tensor:
    """Returns the alpha (n, 1, size, size) of ellipses around positions (n, 2), which a larger power (n) makes rectangular."""
    cells = torch.arange(size, device=middle.device) + 0.5
    away = ((cells - middle[..., None]) / radii[..., None]).abs() ** power.view(-1, 1, 1)
    distance = (away[:, 1, :, None] + away[:, 0, None, :]) ** (1 / power).view(-1, 1, 1)
    return ((1 - distance) * radii.amin(1).view(-1, 1, 1) + 0.5).clamp(0, 1)[:, None]


def rods(start: Tensor, end: Tensor, width: Tensor, size: int) -> Tensor:
    """Returns the alpha (n, 1, size, size) of bent rods of the given half width between positions (n, 2)."""
    n, segments = len(start), 14
    bend = (start + end) / 2 + torch.randn_like(start) * (end - start).norm(dim=1, keepdim=True) * 0.25
    t = torch.linspace(0, 1, segments + 1, device=start.device)[None, :, None]
    points = (1 - t) ** 2 * start[:, None] + 2 * t * (1 - t) * bend[:, None] + t**2 * end[:, None]
    half = size // 2
    cells = (torch.arange(half, device=start.device) + 0.5) * 2
    from_x, from_y = points[:, :-1, 0, None, None], points[:, :-1, 1, None, None]
    along = (points[:, 1:] - points[:, :-1])[..., None, None]
    x, y = cells[None, None, None, :] - from_x, cells[None, None, :, None] - from_y
    share = ((x * along[:, :, 0] + y * along[:, :, 1]) / (along**2).sum(2).clamp(min=1e-6)).clamp(0, 1)
    distance = ((x - share * along[:, :, 0]) ** 2 + (y - share * along[:, :, 1]) ** 2).amin(1, keepdim=True).sqrt()
    distance = F.interpolate(distance, scale_factor=2, mode="bilinear", align_corners=False)
    return (width.view(n, 1, 1, 1) - distance + 0.5).clamp(0, 1)
