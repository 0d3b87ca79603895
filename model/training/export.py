"""Writes the trained network as ONNX: `python export.py CHECKPOINT ONNX` (the word `random` in place of CHECKPOINT gives an untrained one).

Height and width stay free (multiples of 32). Batch norms are folded into the convolutions, the sigmoid is part of the
graph, weights are stored as fp16 and widened on loading: arithmetic is fp32 everywhere.
"""

import argparse
import copy

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from network import Dextr

OPSET = 17


class Probability(nn.Module):
    def __init__(self, network: nn.Module):
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        return torch.sigmoid(self.network(x))


def fold(module: nn.Module) -> None:
    """Folds each batch norm into the convolution before it."""
    for child in module.children():
        fold(child)
    if isinstance(module, nn.Sequential):
        for n in range(len(module) - 1):
            if isinstance(module[n], nn.Conv2d) and isinstance(module[n + 1], nn.BatchNorm2d):
                module[n] = fuse_conv_bn_eval(module[n], module[n + 1])
                module[n + 1] = nn.Identity()


def halve(model: onnx.ModelProto) -> None:
    """Stores weights as fp16, each with a cast to fp32 that a runtime does once, when it loads."""
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < 16:
            continue
        name = tensor.name
        half = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}.half")
        tensor.CopyFrom(half)
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def export(network: Dextr, path: str) -> None:
    network = copy.deepcopy(network).float().to(memory_format=torch.contiguous_format).eval()
    fold(network)
    axes = {2: "height", 3: "width"}
    torch.onnx.export(
        Probability(network).eval(),
        (torch.zeros(1, 4, 256, 256),),
        path,
        input_names=["input"],
        output_names=["probability"],
        opset_version=OPSET,
        dynamic_axes={"input": {0: "batch", **axes}, "probability": {0: "batch", **axes}},
        dynamo=False,
    )
    model = onnx.load(path)
    halve(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint")
    options.add_argument("onnx")
    chosen = options.parse_args()
    network = Dextr()
    if chosen.checkpoint != "random":
        network.load_state_dict(torch.load(chosen.checkpoint, map_location="cpu")["average"])
    export(network, chosen.onnx)


if __name__ == "__main__":
    main()
