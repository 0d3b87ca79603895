"""The loss that the training minimises."""

import torch
from torch import Tensor
from torch.nn import functional as F

from guided import guided

# extra weight of a pixel on the border over one far from it
BORDER = 2.0
BORDER_WIDTH = 7
# limit of guided probabilities, which keeps the cross-entropy finite
SURE = 1e-3


def loss_of(logits: Tensor, truth: Tensor, colours: Tensor | None = None) -> Tensor:
    """Returns the loss of logits (n, 1, h, w); with colours (n, 3, h, w), the mean of the losses before and after the guided filter."""
    logits = logits.float()
    probability = torch.sigmoid(logits)
    before = loss(F.binary_cross_entropy_with_logits(logits, truth, reduction="none"), probability, truth)
    if colours is None:
        return before
    drawn = guided(probability, colours).clamp(SURE, 1 - SURE)
    return (before + loss(F.binary_cross_entropy(drawn, truth, reduction="none"), drawn, truth)) / 2


def loss(crossed: Tensor, probability: Tensor, truth: Tensor) -> Tensor:
    """Returns cross-entropy, weighted more at the border, plus one minus a soft intersection over union. All (n, 1, h, w)."""
    mixed = F.avg_pool2d(truth, BORDER_WIDTH, 1, BORDER_WIDTH // 2, count_include_pad=False)
    weight = 1 + BORDER * (1 - (2 * mixed - 1).abs())
    both = (probability * truth).sum((1, 2, 3))
    either = (probability + truth - probability * truth).sum((1, 2, 3))
    return (crossed * weight).sum() / weight.sum() + (1 - (both + 1) / (either + 1)).mean()
