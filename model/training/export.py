"""Writes the trained network as ONNX, with the manifest that identifies the file and describes how to run it.

Height and width are free (multiples of 32). Batch norms are folded into the convolutions, the sigmoid is part of the
graph, weights are stored as fp16 and widened on loading: all arithmetic is fp32.
"""

import argparse
import copy
import hashlib
import json
from pathlib import Path

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
    """Stores weights as fp16, each with a cast to fp32 that a runtime does once, on loading."""
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


def pad_inside(model: onnx.ModelProto) -> None:
    """Makes the convolutions pad by themselves: the exporter writes each padding as a separate chain of nodes."""
    graph = model.graph
    pads = {node.output[0]: node for node in graph.node if node.op_type == "Pad"}
    for node in graph.node:
        pad = pads.get(node.input[0]) if node.op_type == "Conv" else None
        if pad is not None:
            node.input[0] = pad.input[0]
            attribute = next(attribute for attribute in node.attribute if attribute.name == "pads")
            attribute.ints[:] = [0, 0, 1, 1]
    drop_unused(graph)


def drop_unused(graph: onnx.GraphProto) -> None:
    """Removes unused nodes and weights."""
    while True:
        needed = {name for node in graph.node for name in node.input} | {output.name for output in graph.output}
        used = [node for node in graph.node if any(name in needed for name in node.output)]
        if len(used) == len(graph.node):
            break
        del graph.node[:]
        graph.node.extend(used)
    kept = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def export(network: Dextr, path: Path) -> None:
    network = copy.deepcopy(network).float().to(memory_format=torch.contiguous_format).eval()
    fold(network)
    axes = {2: "height", 3: "width"}
    torch.onnx.export(
        Probability(network).eval(),
        (torch.zeros(1, 5, 256, 256),),
        str(path),
        input_names=["input"],
        output_names=["probability"],
        opset_version=OPSET,
        dynamic_axes={"input": {0: "batch", **axes}, "probability": {0: "batch", **axes}},
        dynamo=False,
    )
    model = onnx.load(path)
    pad_inside(model)
    halve(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def write_manifest(path: Path, version: str, size: int) -> None:
    data = path.read_bytes()
    manifest = {
        "version": version,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "size": size,
        "input": "input",
        "output": "probability",
    }
    path.with_suffix(".json").write_text(json.dumps(manifest, indent=2) + "\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", help="checkpoint of train.py; the word random exports an untrained network")
    options.add_argument("onnx", type=Path, help="file to write; its manifest is written next to it")
    options.add_argument("--version", required=True, help="version shown to users")
    options.add_argument("--size", type=int, default=256, help="side of the square input to run it with")
    chosen = options.parse_args()
    network = Dextr()
    if chosen.checkpoint != "random":
        network.load_state_dict(torch.load(chosen.checkpoint, map_location="cpu")["average"])
    export(network, chosen.onnx)
    write_manifest(chosen.onnx, chosen.version, chosen.size)


if __name__ == "__main__":
    main()
