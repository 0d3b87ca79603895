"""What the network is trained for."""

import torch
from torch import Tensor
from torch.nn import functional as F

# how much more a pixel on the border counts than one far from it
BORDER = 2.0
BORDER_WIDTH = 7


def loss_of(logits: Tensor, truth: Tensor) -> Tensor:
    """Cross-entropy, in which the border counts more, and one minus a soft intersection over union. Both (n, 1, h, w)."""
    logits = logits.float()
    mixed = F.avg_pool2d(truth, BORDER_WIDTH, 1, BORDER_WIDTH // 2, count_include_pad=False)
    weight = 1 + BORDER * (1 - (2 * mixed - 1).abs())
    crossed = F.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    probability = torch.sigmoid(logits)
    both = (probability * truth).sum((1, 2, 3))
    either = (probability + truth - probability * truth).sum((1, 2, 3))
    return (crossed * weight).sum() / weight.sum() + (1 - (both + 1) / (either + 1)).mean()
