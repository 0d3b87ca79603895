"""Initial weights of the encoder: MobileNetV2 from the MIT-licensed package nsfwjs, read from node_modules and never copied.

The package has a TensorFlow.js layers model as JavaScript modules, which are read with Node: a manifest with the name, shape,
scale and minimum of each tensor (8-bit quantisation), and the bytes in base64.
"""

import base64
import json
import subprocess
from pathlib import Path

import numpy as np
import torch
from torch import nn

from network import Encoder


def load_encoder(encoder: Encoder, package: Path) -> None:
    """Fills `encoder` from an unpacked nsfwjs 4.3. The channels for clicks and corrections keep small random weights."""
    tensors = read_tensors(package / "dist" / "models" / "mobilenet_v2")
    used: set[str] = set()

    def take(name: str) -> torch.Tensor:
        used.add(name)
        return torch.from_numpy(tensors[name].copy())

    def fill(part: nn.Sequential, name: str, norm: str, is_depthwise: bool = False) -> None:
        kernel = take(f"{name}/depthwise_kernel").permute(2, 3, 0, 1) if is_depthwise else take(f"{name}/kernel").permute(3, 2, 0, 1)
        weight = part[0].weight.data
        weight[:, : kernel.shape[1]] = kernel
        weight[:, kernel.shape[1] :] *= 0.1
        part[1].weight.data.copy_(take(f"{norm}/gamma"))
        part[1].bias.data.copy_(take(f"{norm}/beta"))
        part[1].running_mean.copy_(take(f"{norm}/moving_mean"))
        part[1].running_var.copy_(take(f"{norm}/moving_variance"))

    fill(encoder.stem, "Conv1", "bn_Conv1")
    for n, block in enumerate(encoder.blocks):
        name = "expanded_conv" if n == 0 else f"block_{n}"
        if block.expand is not None:
            fill(block.expand, f"{name}_expand", f"{name}_expand_BN")
        fill(block.depthwise, f"{name}_depthwise", f"{name}_depthwise_BN", is_depthwise=True)
        fill(block.project, f"{name}_project", f"{name}_project_BN")
    print(f"encoder starts from {len(used)} of {len(tensors)} tensors of {package}")


def read_tensors(folder: Path) -> dict[str, np.ndarray]:
    manifest = json.loads(run_node(f"require({json.dumps(str(folder / 'model.min.js'))}).weightsManifest"))
    shards = (json.loads(run_node(f"require({json.dumps(str(path))})")) for path in sorted(folder.glob("group1-shard*.min.js")))
    data = b"".join(base64.b64decode(shard) for shard in shards)
    tensors = {}
    offset = 0
    for spec in (spec for group in manifest for spec in group["weights"]):
        quantization = spec.get("quantization")
        dtype = np.dtype(quantization["dtype"] if quantization else spec["dtype"])
        count = int(np.prod(spec["shape"]))
        values = np.frombuffer(data, dtype, count, offset).astype(np.float32)
        offset += count * dtype.itemsize
        if quantization:
            values = values * quantization["scale"] + quantization["min"]
        tensors[spec["name"]] = values.reshape(spec["shape"])
    if offset != len(data):
        raise ValueError(f"{folder}: {len(data)} bytes of weights, {offset} in the manifest")
    return tensors


def run_node(expression: str) -> str:
    """Returns the value of a JavaScript expression as JSON."""
    script = f"process.stdout.write(JSON.stringify({expression}))"
    return subprocess.run(["node", "-e", script], check=True, capture_output=True, text=True).stdout
