"""Writes the mean of the averaged weights of checkpoints with a common ancestor, as a checkpoint to start from or to export.

Wortsman et al. 2022, "Model soups". Norms can be averaged in this way only if they were settled.
"""

import argparse
from pathlib import Path

import torch


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out", type=Path)
    options.add_argument("checkpoints", type=Path, nargs="+")
    chosen = options.parse_args()
    states = [torch.load(path, map_location="cpu")["average"] for path in chosen.checkpoints]
    mean = {name: mean_of([state[name] for state in states]) for name in states[0]}
    torch.save({"average": mean}, chosen.out)


def mean_of(values: list[torch.Tensor]) -> torch.Tensor:
    if not values[0].dtype.is_floating_point:
        return values[0]
    return torch.stack([value.double() for value in values]).mean(0).to(values[0].dtype)


if __name__ == "__main__":
    main()
