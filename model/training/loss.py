"""The loss that the training minimises."""

import torch
from torch import Tensor
from torch.nn import functional as F

from guided import guided

# extra weight of a pixel on the border over one far from it
BORDER = 2.0
BORDER_WIDTH = 7
# guided probabilities are clamped to at least this far from 0 and 1, which keeps the cross-entropy finite
SURE = 1e-3


def loss_of(logits: Tensor, truth: Tensor, colours: Tensor | None = None, weight: Tensor | None = None) -> Tensor:
    """Returns the loss of logits (n, 1, h, w); with colours (n, 3, h, w), the mean of the losses before and after the guided filter.

    `weight` (n, 1, h, w) is that of each pixel; pixels with weight 0 do not count.
    """
    logits = logits.float()
    weight = weight_of(truth, BORDER) if weight is None else weight
    probability = torch.sigmoid(logits)
    before = loss(F.binary_cross_entropy_with_logits(logits, truth, reduction="none"), probability, truth, weight)
    if colours is None:
        return before
    drawn = guided(probability, colours).clamp(SURE, 1 - SURE)
    return (before + loss(F.binary_cross_entropy(drawn, truth, reduction="none"), drawn, truth, weight)) / 2


def weight_of(truth: Tensor, border: Tensor | float) -> Tensor:
    """Returns the weight of each pixel: 1, and `border` more on the border itself."""
    mixed = F.avg_pool2d(truth, BORDER_WIDTH, 1, BORDER_WIDTH // 2, count_include_pad=False)
    return 1 + border * (1 - (2 * mixed - 1).abs())


def loss(crossed: Tensor, probability: Tensor, truth: Tensor, weight: Tensor) -> Tensor:
    """Returns the weighted cross-entropy plus one minus a soft intersection over union. All (n, 1, h, w)."""
    counted = (weight > 0).to(truth.dtype)
    both = (probability * truth * counted).sum((1, 2, 3))
    either = ((probability + truth - probability * truth) * counted).sum((1, 2, 3))
    return (crossed * weight).sum() / weight.sum() + (1 - (both + 1) / (either + 1)).mean()
