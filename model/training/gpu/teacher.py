"""A teacher: older weights that see the same objects with unchanged colours and exact clicks.

Hinton et al. 2015, "Distilling the Knowledge in a Neural Network". It holds back overfitting, and shows for a box what four clicks would say.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gpu.sampler import Batch, Sampler

# the teacher is believed about an object if its soft intersection over union with the truth is at least this
BELIEVED = 0.75


class Lessons:
    """A teacher, or none if `share`, the weight of its answers in the loss, is 0."""

    def __init__(self, teacher: nn.Module, share: float):
        self.teacher, self.share = teacher, share

    def batch(self, sampler: Sampler, size: int) -> Batch:
        """Returns new samples with the teacher's answers in place of its inputs."""
        batch = sampler.batch(size)
        answers = taught_by(self.teacher, batch, sampler.mix.real) if self.share else torch.full_like(batch.truth, -1)
        return Batch(batch.inputs, batch.truth, batch.weight, answers)


@torch.no_grad()
def taught_by(teacher: nn.Module, batch: Batch, real: int) -> Tensor:
    """Returns the teacher's probabilities (n, 1, size, size) for the first `real` samples, and -1 where it is not believed."""
    teacher.eval()
    inputs, truth = batch.taught[:real], batch.truth[:real]
    with torch.autocast(inputs.device.type, torch.bfloat16):
        logits = teacher(inputs.contiguous(memory_format=torch.channels_last))
    found = torch.sigmoid(logits.float())
    counted = (batch.weight[:real] > 0).float()
    both = (found * truth * counted).sum((1, 2, 3), keepdim=True)
    either = ((found + truth - found * truth) * counted).sum((1, 2, 3), keepdim=True)
    answers = torch.full_like(batch.truth, -1)
    answers[:real] = torch.where(both >= BELIEVED * either, found, -1.0)
    return answers


def lesson(logits: Tensor, answers: Tensor) -> Tensor:
    """Returns the mean cross-entropy with the teacher's probabilities, where there are any."""
    known = (answers >= 0).float()
    crossed = F.binary_cross_entropy_with_logits(logits.float(), answers.clamp(min=0), reduction="none")
    return (crossed * known).sum() / known.sum().clamp(min=1)
