"""Writes the mean of the shipped weights and those of a run that began with them, with norms measured anew, as a checkpoint.

    python -m gpu.blend --start ../dextr.onnx --trained last.pt --packs FOLDER ... --art art.json --out blend.pt

Wortsman et al. 2022, "Robust fine-tuning of zero-shot models".
"""

import argparse
from pathlib import Path

import torch
from torch import nn

from gpu.bank import read_bank, read_drawings
from gpu.sampler import Mix, Sampler
from gpu.train import measure_norms
from network import Dextr
from shipped import read_shipped

# samples of a batch, few enough for a CPU
MIX = Mix(plain=9, behind=4, front=4, cut_out=2, drawn=3, textured=2, with_rod=2, behind_rod=1, holed=1)
BATCHES = 3


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--start", type=Path, required=True, help="shipped ONNX file that the run began with")
    options.add_argument("--trained", type=Path, required=True, help="checkpoint of gpu.train")
    options.add_argument("--packs", type=Path, nargs="+", required=True)
    options.add_argument("--art", type=Path, required=True)
    options.add_argument("--share", type=float, default=0.5, help="share of the trained weights")
    options.add_argument("--limit", type=int, default=180, help="photographs to read")
    options.add_argument("--out", type=Path, required=True)
    chosen = options.parse_args()
    torch.manual_seed(0)
    device = torch.device("cpu")
    sampler = Sampler(read_bank(chosen.packs, device, chosen.limit), read_drawings(chosen.art, device, 60), MIX)
    batches = [sampler.batch(256).inputs for _ in range(BATCHES)]
    network = Dextr()
    network.load_state_dict(read_shipped(chosen.start))
    measure_norms(network, batches)
    before = network.state_dict()
    after = torch.load(chosen.trained, map_location="cpu")["average"]
    network.load_state_dict({name: mixed(before[name], after[name], chosen.share) for name in before})
    measure_again(network, batches)
    torch.save({"average": network.state_dict()}, chosen.out)


def mixed(before: torch.Tensor, after: torch.Tensor, share: float) -> torch.Tensor:
    return torch.lerp(before, after, share) if before.dtype.is_floating_point else after


@torch.no_grad()
def measure_again(network: Dextr, batches: list[torch.Tensor]) -> None:
    """Measures the means and variances of all norms: they cannot be mixed from those of the two networks."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
            module.reset_running_stats()
    network.train()
    for inputs in batches:
        network(inputs)


if __name__ == "__main__":
    main()
