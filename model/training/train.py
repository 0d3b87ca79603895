"""Trains the network. See README.md for the commands behind the shipped weights."""

import argparse
import copy
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from evaluate import evaluate
from loss import loss_of
from network import ADDED, Dextr, widened
from pack import read_packs
from pretrained import load_encoder
from samples import Samples, read_training
from shipped import read_shipped
from sources import TRAINED

WARM_UP_STEPS = 100
ENCODER_RATE = 0.4
LAST_RATE = 0.01
AVERAGE = 0.999


def main() -> None:
    chosen = read_options()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    cv2.setNumThreads(0)
    device = torch.device(chosen.device)
    network = Dextr()
    state = read_start(chosen)
    if state:
        load_weights(network, state["network" if chosen.resume else "average"])
    else:
        load_encoder(network.encoder, chosen.nsfwjs)
    if chosen.settled:
        network.settle()
    network = network.to(device, memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    optimizer = make_optimizer(network, chosen.rate)
    done = 0
    if state and chosen.resume:
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        done = state["samples"]

    phases = [(round(share * chosen.samples / chosen.batch) * chosen.batch, size) for size, share in chosen.sizes]
    total = sum(samples for samples, _ in phases)
    validation = read_packs(chosen.data, "val-*", TRAINED)
    samples = Samples(read_training(chosen.data), phases, chosen.seed, done)
    print(f"{sum(map(len, samples.objects.values()))} objects, {total} samples from {done}", flush=True)

    losses: list[float] = []
    began = time.time()
    steps = 0
    for inputs, truth in batches(samples, chosen):
        rate = chosen.rate * schedule(done / total, steps)
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        losses.append(step(network, optimizer, inputs.to(device), truth.to(device), chosen.guided))
        steps += 1
        done += len(inputs)
        update_average(average, network, min(AVERAGE, (1 + done / chosen.batch) / (10 + done / chosen.batch)))
        if steps % 100 == 0:
            pace = steps * chosen.batch / (time.time() - began)
            print(f"{done} size {inputs.shape[-1]} loss {np.mean(losses[-100:]):.4f} rate {rate:.2e} {pace:.1f}/s", flush=True)
        if steps % chosen.look_every == 0 or done >= total:
            size = max(inputs.shape[-1], 160)
            scores = evaluate(average, validation, size, guide=chosen.guided, limit=chosen.look_at)
            print(f"{done} IoU " + "  ".join(f"{name} {score:.4f}" for name, score in scores.items()), flush=True)
            save(chosen.out, network, average, optimizer, done, chosen)


def read_options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, required=True, help="folder of the packs")
    options.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    options.add_argument("--nsfwjs", type=Path, default=Path(__file__).parent / "node_modules" / "nsfwjs")
    options.add_argument("--start", type=Path, help="checkpoint, or shipped ONNX file, to start from instead of the pretrained encoder")
    options.add_argument("--resume", action="store_true", help="continue the run that wrote --start")
    options.add_argument("--settled", action="store_true", help="keep the norms of --start: faster, for late runs")
    options.add_argument("--guided", action="store_true", help="also train on the output after the guided filter")
    options.add_argument("--samples", type=int, default=160_000)
    options.add_argument("--sizes", type=read_sizes, default="160:0.55,192:0.15,256:0.3", help="input size:share of the samples, in order")
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--rate", type=float, default=1.5e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--look-every", type=int, default=1000, help="steps between two evaluations on the validation packs")
    options.add_argument("--look-at", type=int, default=300, help="objects in such an evaluation")
    return options.parse_args()


def read_sizes(text: str) -> list[tuple[int, float]]:
    sizes = [(int(size), float(share)) for size, share in (part.split(":") for part in text.split(","))]
    if any(size % 32 for size, _ in sizes):
        raise argparse.ArgumentTypeError("sizes are multiples of 32")
    return sizes


def read_start(chosen: argparse.Namespace) -> dict | None:
    if not chosen.start:
        return None
    if chosen.start.suffix != ".onnx":
        return torch.load(chosen.start, map_location="cpu")
    if chosen.resume or not chosen.settled:
        raise ValueError("An ONNX file has no state to resume and no measured norms: it needs --settled, and no --resume.")
    return {"average": read_shipped(chosen.start)}


def make_optimizer(network: Dextr, rate: float) -> torch.optim.Optimizer:
    """Returns the optimiser: weight decay without norms and biases, and a lower rate for the pretrained encoder."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        share = ENCODER_RATE if name.startswith("encoder") else 1.0
        decay = 0.01 if parameter.ndim > 1 else 0.0
        groups.setdefault((share, decay), []).append(parameter)
    return torch.optim.AdamW(
        [{"params": parameters, "share": share, "weight_decay": decay} for (share, decay), parameters in groups.items()], lr=rate, fused=True
    )


def load_weights(network: Dextr, weights: dict[str, torch.Tensor]) -> None:
    """Loads weights. Parts missing in an older checkpoint initially add nothing; any other difference is an error."""
    missing, unknown = network.load_state_dict(widened(weights), strict=False)
    if unknown or any(not ADDED.search(name) for name in missing):
        raise ValueError(f"a different network: missing {missing}, unknown {unknown}")


def batches(samples: Samples, chosen: argparse.Namespace) -> DataLoader:
    return DataLoader(samples, chosen.batch, num_workers=chosen.workers, prefetch_factor=8 if chosen.workers else None, drop_last=True)


def schedule(progress: float, steps: int) -> float:
    """Returns the share of the learning rate: linear warm-up, then half a cosine."""
    return min(1, (steps + 1) / WARM_UP_STEPS) * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress)))


def step(
    network: Dextr, optimizer: torch.optim.Optimizer, inputs: torch.Tensor, truth: torch.Tensor, through_guide: bool
) -> float:
    network.train()
    inputs = inputs.contiguous(memory_format=torch.channels_last)
    with torch.autocast(inputs.device.type, torch.bfloat16):
        logits = network(inputs)
    loss = loss_of(logits, truth, inputs[:, :3].contiguous() if through_guide else None)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def update_average(average: Dextr, network: Dextr, keep: float) -> None:
    """Moves the running average of weights and norms towards the network."""
    for mean, value in zip(average.state_dict().values(), network.state_dict().values()):
        if mean.dtype.is_floating_point:
            mean.lerp_(value, 1 - keep)
        else:
            mean.copy_(value)


def save(path: Path, network: Dextr, average: Dextr, optimizer: torch.optim.Optimizer, samples: int, chosen: argparse.Namespace) -> None:
    """Writes a checkpoint to a temporary file and renames it, so that the previous one survives if the process is killed."""
    partial = path.with_suffix(".part")
    options = {name: str(value) for name, value in vars(chosen).items()}
    state = {
        "network": network.state_dict(),
        "average": average.state_dict(),
        "optimizer": optimizer.state_dict(),
        "samples": samples,
        "options": options,
    }
    torch.save(state, partial)
    partial.rename(path)


if __name__ == "__main__":
    main()
