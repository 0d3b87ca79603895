"""Trains on one GPU within a given time. The rate falls with the time that has passed, however fast the machine is.

    python -m gpu.train --start ../dextr.onnx --packs FOLDER ... --art art.json --out FOLDER --seconds 540

Several runs (--runs) begin with the same weights and share the time. The weights at the start teach those that are trained.
"""

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from evaluate import evaluate
from gpu.bank import read_bank, read_drawings
from gpu.clicks import corrected
from gpu.sampler import Batch, Mix, Sampler
from gpu.teacher import Lessons, lesson
from loss import loss_of
from network import Dextr, Normed
from pack import read_packs
from shipped import read_shipped
from sources import TRAINED
from train import load_weights, make_optimizer

BEGAN = time.time()
WARM_UP_STEPS = 250
LAST_RATE = 0.005
AVERAGE = 0.999
# number of samples of a batch that are repeated with one more correction: half of them had corrections before
CONTINUED = 32
# extra weight of the cells around corrections, and the height of a correction from which cells count
OBEYED = 12.0
OBEYED_FROM = 0.6
# time of a step, in seconds, above which a search for faster algorithms is worth its time
SLOW = 0.1
# steps with the same size of the input
BLOCK = 25


def main() -> None:
    chosen = read_options()
    torch.manual_seed(chosen.seed)
    device = torch.device(chosen.device)
    chosen.out.mkdir(parents=True, exist_ok=True)
    bank = read_bank(chosen.packs, device, chosen.limit)
    drawings = read_drawings(chosen.art, device, chosen.limit)
    say(f"{len(bank.pixels)} photographs, {len(bank.masks)} masks ({(bank.trust == 2).sum()} exact), {len(drawings.pixels)} drawings")
    sampler = Sampler(bank, drawings, Mix())
    network = Dextr()
    if chosen.start.suffix == ".onnx":
        network.load_state_dict(read_shipped(chosen.start))
    else:
        load_weights(network, torch.load(chosen.start, map_location="cpu")["average"])
    network = network.to(device, memory_format=torch.channels_last)
    if chosen.start.suffix == ".onnx":
        measure_norms(network, [sampler.batch(256).inputs for _ in range(3 if device.type == "cuda" else 1)])
        say("measured the norms")
    validation = read_packs(chosen.validation, "val-*", TRAINED) if chosen.validation else []
    runs = [(name, float(share)) for name, share in (run.split(":") for run in chosen.runs.split(","))]
    start = copy.deepcopy(network)
    for n, (name, share) in enumerate(runs):
        network.load_state_dict(start.state_dict())
        passed = time.time() - BEGAN
        torch.manual_seed(chosen.seed + n)
        say(f"run {name}, share of the teacher {share}")
        train(network, Lessons(start, share), sampler, validation, name, passed + (chosen.seconds - passed) / (len(runs) - n), chosen)


def read_options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--start", type=Path, required=True, help="shipped ONNX file or checkpoint")
    options.add_argument("--packs", type=Path, nargs="+", required=True, help="folders with packs of gpu.prepare")
    options.add_argument("--art", type=Path, required=True, help="drawings of art.mjs")
    options.add_argument("--validation", type=Path, help="folder with packs val-*")
    options.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    options.add_argument("--seconds", type=float, default=540, help="time of the whole run, from the start of the process")
    options.add_argument("--rate", type=float, default=8e-4)
    options.add_argument("--runs", default="last:0.5", help="name of each run:weight of the teacher's answers in its loss")
    options.add_argument("--sizes", default="256:1", help="side of the input:share of the steps")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--limit", type=int, help="photographs and drawings to read, for a quick test")
    return options.parse_args()


def say(text: str) -> None:
    print(f"[{time.time() - BEGAN:6.1f} s] {text}", flush=True)


def train(
    network: Dextr, lessons: Lessons, sampler: Sampler, validation: list, name: str, until: float, chosen: argparse.Namespace
) -> None:
    device = next(network.parameters()).device
    average = copy.deepcopy(network)
    pairs = floating(average, network)
    optimizer = make_optimizer(network, chosen.rate)
    sizes, shares = zip(*((int(size), float(share)) for size, share in (part.split(":") for part in chosen.sizes.split(","))))
    rng = np.random.default_rng(chosen.seed)
    batch, losses, samples, steps, saved, looked = None, [], 0, 0, time.time(), time.time()
    began = time.time() - BEGAN
    size = sizes[0]
    while (passed := time.time() - BEGAN) < until:
        if steps % BLOCK == 0:
            batch, size = None, int(rng.choice(sizes, p=np.array(shares) / sum(shares)))
        batch = joined(batch, lessons.batch(sampler, size), sampler.mix.total)
        progress = (passed - began) / (until - began)
        rate = chosen.rate * min(1, (steps + 1) / WARM_UP_STEPS) * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        measured = steps in (5, 15) and device.type == "cuda"
        if measured:
            torch.cuda.synchronize()
        stepped = time.time()
        loss, logits = step(network, optimizer, batch, lessons.share)
        losses.append(loss)
        if measured:
            torch.cuda.synchronize()
            say(f"step {steps}: {1000 * (time.time() - stepped):.0f} ms")
            if steps == 15 and time.time() - stepped > SLOW:
                torch.backends.cudnn.benchmark = True
                torch.backends.cudnn.benchmark_limit = 4
        steps += 1
        samples += len(batch.inputs)
        keep = min(AVERAGE, (1 + steps) / (20 + steps))
        with torch.no_grad():
            torch._foreach_lerp_(pairs[0], pairs[1], 1 - keep)
        batch = continued(batch, logits)
        if steps % 100 == 0:
            # also keeps the queue of the device short
            mean = float(torch.stack(losses[-100:]).mean())
            pace = samples / (time.time() - BEGAN - began)
            say(f"{steps} steps, {samples} samples, size {size}, loss {mean:.4f}, rate {rate:.2e}, {pace:.0f}/s")
            if not math.isfinite(mean):
                raise RuntimeError("the loss is not finite")
        elif steps % 10 == 0 and device.type == "cuda":
            torch.cuda.synchronize()
        if time.time() - saved > 60:
            save(chosen.out / "kept.pt", average, samples)
            saved = time.time()
        if validation and time.time() - looked > 150 and progress < 0.9:
            say(f"validation {scores(average, validation, 100)}")
            looked = time.time()
    save(chosen.out / f"{name}.pt", average, samples)
    say(f"{steps} steps, {samples} samples")
    if validation:
        say(f"validation {scores(average, validation, 300)}")


def floating(average: nn.Module, network: nn.Module) -> tuple[list[Tensor], list[Tensor]]:
    """Returns the weights and norms to average, of both networks in the same order."""
    pairs = [
        (mean, value)
        for mean, value in zip(average.state_dict().values(), network.state_dict().values())
        if mean.dtype.is_floating_point
    ]
    return [mean for mean, _ in pairs], [value for _, value in pairs]


PARTS = ("inputs", "truth", "weight", "taught")


def joined(before: Batch | None, new: Batch, total: int) -> Batch:
    """Returns the continued samples, then new ones. A batch always has the same number of samples."""
    if before is None:
        rows = torch.randperm(total, device=new.truth.device)[:CONTINUED]
        before = Batch(*(getattr(new, name)[rows] for name in PARTS))
    return Batch(*(torch.cat([getattr(before, name), getattr(new, name)]) for name in PARTS))


def continued(batch: Batch, logits: Tensor) -> Batch:
    """Returns samples with one more correction each."""
    device, half = logits.device, CONTINUED // 2
    again = torch.randperm(CONTINUED, device=device)[:half]
    first = CONTINUED + torch.randperm(len(logits) - CONTINUED, device=device)[:half]
    rows = torch.cat([again, first])
    inputs, truth, weight = batch.inputs[rows], batch.truth[rows], batch.weight[rows]
    # the teacher does not know the correction, so it is not asked
    return Batch(corrected(inputs, logits[rows], truth, weight), truth, weight, torch.full_like(truth, -1))


def step(network: Dextr, optimizer: torch.optim.Optimizer, batch: Batch, share: float) -> tuple[Tensor, Tensor]:
    """Returns the loss, and the logits before the step."""
    network.train()
    inputs = batch.inputs.contiguous(memory_format=torch.channels_last)
    with torch.autocast(inputs.device.type, torch.bfloat16):
        logits = network(inputs)
    weight = batch.weight * (1 + OBEYED * (batch.inputs[:, 4:5].abs() > OBEYED_FROM))
    loss = loss_of(logits, batch.truth, batch.inputs[:, :3].contiguous(), weight)
    if share:
        loss = loss + share * lesson(logits, batch.taught)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return loss.detach(), logits.detach()


@torch.no_grad()
def measure_norms(network: Dextr, batches: list[Tensor]) -> None:
    """Gives norms that were read from a file their real means and variances. The network computes the same as before."""
    sums: dict[Normed, list[Tensor]] = {}

    def measure(module: nn.Module, _: tuple, output: Tensor) -> None:
        sums.setdefault(module, []).append(torch.stack([output.float().mean((0, 2, 3)), output.float().square().mean((0, 2, 3))]))

    parts = [module for module in network.modules() if isinstance(module, Normed)]
    hooks = [part[0].register_forward_hook(measure) for part in parts]
    network.eval()
    for inputs in batches:
        network(inputs.contiguous(memory_format=torch.channels_last))
    for hook in hooks:
        hook.remove()
    for part in parts:
        norm = part[1]
        mean, square = torch.stack(sums[part[0]]).mean(0)
        variance = (square - mean**2).clamp(min=0)
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        norm.bias += scale * (mean - norm.running_mean)
        norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


def scores(network: Dextr, validation: list, limit: int) -> str:
    found = {padding: evaluate(network, validation, 256, relative_padding=padding, guide=True, limit=limit) for padding in (0.1, 0.15)}
    return "  ".join(f"{padding}: {score['all']:.4f}" for padding, score in found.items())


def save(path: Path, network: Dextr, samples: int) -> None:
    state = {name: value.cpu() for name, value in network.state_dict().items()}
    torch.save({"average": state, "samples": samples}, path)


if __name__ == "__main__":
    main()
