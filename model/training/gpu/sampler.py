"""Training samples, made in batches on the device: the same kinds as in samples.py, and objects with exact masks.

Each sample is composed on a canvas: a target, or a cut-out object over another photograph, often with something behind or
in front of it. The clicks are found on the finished canvas, so that they are on the visible part.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from gpu.bank import COARSE, EXACT, Bank, Drawings
from gpu.clicks import click, heat_maps
from gpu.colours import SMALL, shrunk, vary_colours
from gpu.geometry import canvas_around, chance, ellipses, random_pixels, random_places, random_turns, rods, uniform, warp
from loss import weight_of
from recipe import GREY

CANVAS = 512
# margin of the canvas around the object, as a share of its long side
MARGIN = 0.36
ROD_MARGIN = 0.8
# share of the object that must stay visible
LEAST_SEEN = 0.4
# radii of holes, as a share of the canvas
HOLES = (0.03, 0.13)
# extra weight of the border, by trust
BORDERS = (0.0, 2.0, 4.0)


@dataclass
class Batch:
    """Samples: `inputs` (n, 5, size, size), `truth` and `weight` (n, 1, size, size).

    `taught` (n, 5, size, size) are the inputs for a teacher: unchanged colours and exact extreme points.
    """

    inputs: Tensor
    truth: Tensor
    weight: Tensor
    taught: Tensor


@dataclass
class Mix:
    """Numbers of samples of each kind in a batch."""

    plain: int = 46
    # an object behind the target, or in front of it
    behind: int = 16
    front: int = 18
    # cut-outs over another photograph: of photographs; drawings; drawings with a photograph's texture
    cut_out: int = 8
    drawn: int = 10
    textured: int = 6
    # numbers of cut-outs with a rod that belongs to them, and of plain samples with a rod in front
    with_rod: int = 10
    behind_rod: int = 4
    # number of cut-outs with a hole
    holed: int = 6

    @property
    def real(self) -> int:
        """Number of samples that are not cut-outs. They come first."""
        return self.plain + self.behind + self.front

    @property
    def total(self) -> int:
        return self.plain + self.behind + self.front + self.cut_out + self.drawn + self.textured


class Sampler:
    def __init__(self, bank: Bank, drawings: Drawings, mix: Mix):
        self.bank, self.drawings, self.mix = bank, drawings, mix

    @torch.no_grad()
    def batch(self, size: int) -> Batch:
        canvas, truth, whole, trust, unit = self.compose()
        return finish(canvas, truth, whole, trust, unit, size)

    def compose(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Returns colours (n, 3, canvas, canvas; 0 is grey), visible and whole objects, their trust, and units."""
        mix, bank = self.mix, self.bank
        real = mix.plain + mix.behind + mix.front
        targets = torch.multinomial(bank.shares, real, replacement=True)
        cut = torch.multinomial(bank.cut_out, mix.cut_out, replacement=True)
        photographed = torch.cat([targets, cut])
        n = len(photographed)
        turns = random_turns(n, bank.hulls)
        margin = torch.full([n], MARGIN, device=turns.device)
        margin[real : real + mix.with_rod // 2] = ROD_MARGIN
        matrix, offset, unit, low = canvas_around(bank.hulls[photographed], turns, margin, CANVAS)
        layer = self.photograph(photographed, matrix, offset)
        canvas, truth = layer[:, :3], layer[:, 3:]

        # something behind or in front of the target
        between = slice(mix.plain, real)
        other, alpha = self.other(unit[between], low[between], truth[between])
        behind = (torch.arange(real - mix.plain, device=alpha.device) < mix.behind).view(-1, 1, 1, 1)
        over = torch.where(behind, alpha * (1 - truth[between]), alpha)
        whole = truth.clone()
        mixed = canvas[between] * (1 - over) + other * over
        seen = torch.where(behind, truth[between], truth[between] * (1 - alpha))
        enough = is_enough(seen, truth[between]) | behind
        canvas[between] = torch.where(enough, mixed, canvas[between])
        truth[between] = torch.where(enough, seen, truth[between])

        # thin things in front of the target
        thin = slice(0, mix.behind_rod)
        rod, colour = random_rods(random_pixels((truth[thin] > 0.5).float(), 1)[:, 0], canvas)
        seen = truth[thin] * (1 - rod)
        enough = is_enough(seen, truth[thin])
        canvas[thin] = torch.where(enough, canvas[thin] * (1 - rod) + colour * rod, canvas[thin])
        truth[thin] = torch.where(enough, seen, truth[thin])

        trust = bank.trust[photographed]
        made, made_truth, made_unit = self.made(canvas[real:], truth[real:], unit[real:])
        exact = torch.full([mix.drawn + mix.textured], EXACT, device=trust.device)
        return (
            torch.cat([canvas[:real], made]),
            torch.cat([truth[:real], made_truth]),
            torch.cat([whole[:real], made_truth]),
            torch.cat([trust[:real], torch.full_like(trust[real:], EXACT), exact]),
            torch.cat([unit[:real], made_unit]),
        )

    def made(self, cut: Tensor, cut_alpha: Tensor, cut_unit: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns cut-outs and drawings over other photographs, with their masks and units."""
        mix, bank, drawings = self.mix, self.bank, self.drawings
        count = mix.drawn + mix.textured
        chosen = torch.randint(len(drawings.pixels), (count,), device=cut.device)
        margin = torch.full([count], MARGIN, device=cut.device)
        margin[: mix.with_rod - mix.with_rod // 2] = ROD_MARGIN
        matrix, offset, unit, _ = canvas_around(drawings.hulls[chosen], random_turns(count, cut, 0.7, 35), margin, CANVAS)
        drawn = warp(drawings.pixels[chosen].float(), matrix, offset, CANVAS)
        alpha = drawn[:, 3:] / 255
        # premultiplied, and 0 is grey
        colour = drawn[:, :3] - GREY * alpha
        places = torch.randint(len(bank.pixels), (len(cut) + count + mix.textured,), device=cut.device)
        scenes = self.scene(places)
        colour[mix.drawn :] = scenes[: mix.textured] * alpha[mix.drawn :]
        ground = scenes[mix.textured :]
        colour = torch.cat([cut * cut_alpha, colour])
        alpha = torch.cat([cut_alpha, alpha])

        # rods that belong to the object: half of them to cut-outs, half to drawings
        first = len(cut)
        rows = torch.cat(
            [
                torch.arange(mix.with_rod // 2, device=cut.device),
                torch.arange(first, first + mix.with_rod - mix.with_rod // 2, device=cut.device),
            ]
        )
        rod, paint = random_rods(random_pixels((alpha[rows] > 0.5).float(), 1)[:, 0], cut)
        colour[rows] = colour[rows] * (1 - rod) + paint * rod
        alpha[rows] = alpha[rows] * (1 - rod) + rod
        rows = torch.randperm(len(alpha), device=cut.device)[: mix.holed]
        left = 1 - random_holes(random_pixels((alpha[rows] > 0.5).float(), 1)[:, 0], cut)
        left = torch.where(is_enough(alpha[rows] * left, alpha[rows]), left, 1.0)
        colour[rows] *= left
        alpha[rows] *= left

        # light on the object, its shadow, soft borders, and motion
        n = len(alpha)
        slope = light(n, cut)
        colour = (colour + GREY * alpha) * uniform(n, 0.6, 1.25, cut).view(n, 1, 1, 1) * slope - GREY * alpha
        soft = torch.randperm(n, device=cut.device)[: n // 2]
        both = torch.cat([colour, alpha], 1)
        both[soft] = F.avg_pool2d(both[soft], 3, 1, 1)
        moving = torch.randperm(n, device=cut.device)[: n // 8]
        kernel = (1, 13) if torch.rand(()) < 0.5 else (13, 1)
        both[moving] = F.avg_pool2d(both[moving], kernel, 1, (kernel[0] // 2, kernel[1] // 2))
        colour, alpha = both[:, :3], both[:, 3:]
        shadow = F.interpolate(F.avg_pool2d(F.avg_pool2d(alpha, 4), 9, 1, 4), scale_factor=4, mode="bilinear", align_corners=False)
        shadow = shadow.roll((int(torch.randint(-30, 60, ())), int(torch.randint(-40, 40, ()))), (2, 3))
        depth = (uniform(n, -0.5, 0.55, cut).clamp(min=0)).view(n, 1, 1, 1)
        ground = (ground + GREY) * (1 - depth * shadow) - GREY
        return colour + ground * (1 - alpha), alpha, torch.cat([cut_unit, unit])

    def photograph(self, masks: Tensor, matrix: Tensor, offset: Tensor) -> Tensor:
        """Returns views of objects: three colours and the mask."""
        bank = self.bank
        layers = torch.cat([bank.pixels[bank.photograph_of[masks]].float() - GREY, bank.masks[masks][:, None].float()], 1)
        return warp(layers, matrix, offset, CANVAS)

    def scene(self, places: Tensor) -> Tensor:
        matrix, offset = random_places(self.bank.sizes[places], CANVAS)
        return warp(self.bank.pixels[places].float() - GREY, matrix, offset, CANVAS)

    def other(self, unit: Tensor, low: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
        """Returns, for each target, a second object on or near its border: colours and alpha on the target's canvas."""
        bank, n = self.bank, len(unit)
        masks = torch.multinomial(bank.shares, n, replacement=True)
        hulls = bank.hulls[masks]
        turns = random_turns(n, unit)
        middle = (hulls.amin(1) + hulls.amax(1)) / 2
        long = (hulls.amax(1) - hulls.amin(1)).amax(1)
        extent = unit * CANVAS
        zoom = extent.amax(1) / (1 + 2 * MARGIN) * uniform(n, 0.3, 1.0, unit) / long
        # the middle of the other object lies on the border of the target or near it
        place = random_pixels(border_of(truth), 1)[:, 0] + torch.randn(n, 2, device=unit.device) * 0.08 * CANVAS
        back = torch.linalg.inv(turns) / zoom.view(n, 1, 1)
        matrix = back * unit[:, None]
        offset = middle - (matrix @ place[..., None])[..., 0]
        layer = self.photograph(masks, matrix, offset)
        gain = uniform(n, 0.7, 1.2, unit).view(n, 1, 1, 1)
        return (layer[:, :3] + GREY) * gain - GREY, layer[:, 3:]


def light(n: int, like: Tensor) -> Tensor:
    """Returns factors that grow along a random direction, (n, 1, canvas, canvas)."""
    along = torch.linspace(-1, 1, CANVAS, device=like.device)
    x, y = uniform(n, -0.25, 0.25, like).view(n, 1, 1, 1), uniform(n, -0.25, 0.25, like).view(n, 1, 1, 1)
    return 1 + x * along.view(1, 1, 1, -1) + y * along.view(1, 1, -1, 1)


def random_rods(start: Tensor, like: Tensor) -> tuple[Tensor, Tensor]:
    """Returns alpha and colour of bent rods that begin at the given positions."""
    n = len(start)
    end = torch.rand(n, 2, device=like.device) * 0.84 * CANVAS + 0.08 * CANVAS
    width = torch.exp(uniform(n, 0.2, 2.2, like))
    colour = uniform(3 * n, -120, 120, like).view(n, 3, 1, 1) * light(n, like)
    return rods(start, end, width, CANVAS), colour


def random_holes(middle: Tensor, like: Tensor) -> Tensor:
    n = len(middle)
    radii = torch.exp(uniform(2 * n, math.log(HOLES[0]), math.log(HOLES[1]), like)).view(n, 2) * CANVAS
    return ellipses(middle, radii, torch.where(chance(n, 0.5, like), 2.0, 6.0), CANVAS)


def border_of(truth: Tensor) -> Tensor:
    inside = (truth > 0.5).float()
    return inside + F.max_pool2d(-inside, 3, 1, 1)


def is_enough(seen: Tensor, truth: Tensor) -> Tensor:
    share = (seen > 0.5).sum((1, 2, 3)) / (truth > 0.5).sum((1, 2, 3)).clamp(min=1)
    return (share > LEAST_SEEN).view(-1, 1, 1, 1)


def finish(canvas: Tensor, truth: Tensor, whole: Tensor, trust: Tensor, unit: Tensor, size: int) -> Batch:
    """Returns the crops around random clicks on the objects' visible parts."""
    clicks = click(truth > 0.5, unit)
    matrix = torch.diag_embed((clicks.high - clicks.low) / size)
    layers = warp(torch.cat([canvas, truth, whole], 1), matrix, clicks.low, size)

    def placed(points: Tensor) -> Tensor:
        return (points - clicks.low[:, None]) / (clicks.high - clicks.low)[:, None] * size

    heat = heat_maps(placed(clicks.places), clicks.strength, size)
    exact = heat_maps(placed(clicks.extremes), torch.ones_like(clicks.extremes[..., 0]), size)
    truth, whole = layers[:, 3:4].clamp(0, 1), layers[:, 4:].clamp(0, 1)
    weight = weight_of(truth, torch.tensor(BORDERS, device=trust.device)[trust].view(-1, 1, 1, 1))
    # polygons are not trusted within two or three cells of their border
    inside = (whole > 0.5).float()
    cells = size / ((clicks.high - clicks.low) * unit).amax(1)
    near = torch.where((cells > 1.5).view(-1, 1, 1, 1), spread(inside, 7), spread(inside, 5))
    weight = weight * (1 - near * (trust == COARSE).view(-1, 1, 1, 1))
    colours = layers[:, :3] / 127.5 + (GREY / 127.5 - 1)
    none = torch.zeros_like(heat)
    taught = torch.cat([colours, exact, none], 1)
    colours = shrunk(vary_colours(colours.clone()), clicks.boxed & chance(len(colours), SMALL, colours))
    return Batch(torch.cat([colours, heat, none], 1), truth, weight, taught)


def spread(inside: Tensor, kernel: int) -> Tensor:
    """Returns 1 within kernel // 2 cells of the border."""
    return F.max_pool2d(inside, kernel, 1, kernel // 2) + F.max_pool2d(-inside, kernel, 1, kernel // 2)
