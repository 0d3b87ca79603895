"""Reads the shipped weights to continue training: the repository has no checkpoints, only the ONNX file of export.py."""

import math
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from network import ADDED, Dextr, Normed, widened


def read_shipped(path: Path) -> dict[str, Tensor]:
    """Returns weights of a Dextr with the same output as the ONNX file, within the precision of fp16.

    The norms are folded into the file's convolutions. Each norm is restored with mean 0 and variance 1, and the norm of its
    convolution's weights as scale: suitable only for training that keeps the norms (--settled).
    """
    stored = {tensor.name.removesuffix(".half"): numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    weights = {name.removeprefix("network."): torch.tensor(values).float() for name, values in stored.items() if name.startswith("network.")}
    network = Dextr()
    for name, module in network.named_modules():
        if isinstance(module, Normed) and f"{name}.0.weight" in weights:
            part(weights, name, module[1].eps)
    known = {name for name in network.state_dict() if not name.endswith("num_batches_tracked")}
    different = weights.keys() - known | {name for name in known - weights.keys() if not ADDED.search(name)}
    if different:
        raise ValueError(f"{path} is a different network: {sorted(different)}")
    return {**network.state_dict(), **widened(weights)}


def part(weights: dict[str, Tensor], name: str, eps: float) -> None:
    """Splits a convolution with bias into a convolution without bias and a norm, in place."""
    folded = weights[f"{name}.0.weight"]
    scale = (folded.flatten(1).norm(dim=1) / math.sqrt(2)).clamp(min=1e-6)
    weights[f"{name}.0.weight"] = folded / scale[:, None, None, None]
    weights[f"{name}.1.weight"] = scale
    weights[f"{name}.1.bias"] = weights.pop(f"{name}.0.bias")
    weights[f"{name}.1.running_mean"] = torch.zeros_like(scale)
    weights[f"{name}.1.running_var"] = torch.full_like(scale, 1 - eps)
