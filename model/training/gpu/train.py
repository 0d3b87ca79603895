"""Trains on one GPU within a given time. The rate falls with the time that has passed, however fast the machine is.

    python -m gpu.train --start ../dextr.onnx --packs FOLDER ... --art art.json --out FOLDER --seconds 540
"""

import argparse
import copy
import json
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
from loss import loss_of
from network import Dextr, Normed
from pack import read_packs
from shipped import read_shipped
from sources import TRAINED
from train import load_weights, make_optimizer

BEGAN = time.time()
WARM_UP_STEPS = 250
LAST_RATE = 0.005
AVERAGE = 0.9995
# number of samples of a batch that are repeated with one more correction: half of them had corrections before
CONTINUED = 24
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
    # set only after the norms are measured: trying all algorithms took 70 s for one size of the input
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 4
    validation = read_packs(chosen.validation, "val-*", TRAINED) if chosen.validation else []
    if chosen.smoke:
        smoke(network, sampler, validation, chosen)
    else:
        train(network, sampler, validation, chosen)


def read_options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--start", type=Path, required=True, help="shipped ONNX file or checkpoint")
    options.add_argument("--packs", type=Path, nargs="+", required=True, help="folders with packs of gpu.prepare")
    options.add_argument("--art", type=Path, required=True, help="drawings of art.mjs")
    options.add_argument("--validation", type=Path, help="folder with packs val-*")
    options.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    options.add_argument("--seconds", type=float, default=540, help="time of the whole run, from the start of the process")
    options.add_argument("--rate", type=float, default=1.6e-3)
    options.add_argument("--sizes", default="256:0.8,288:0.2", help="side of the input:share of the steps")
    options.add_argument("--compiled", choices=["yes", "no"], default="no")
    options.add_argument("--choice", type=Path, help="file in which --smoke notes the faster way; overrides --compiled")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--limit", type=int, help="photographs and drawings to read, for a quick test")
    options.add_argument("--smoke", action="store_true", help="only measures the speed, and writes --choice")
    return options.parse_args()


def say(text: str) -> None:
    print(f"[{time.time() - BEGAN:6.1f} s] {text}", flush=True)


def train(network: Dextr, sampler: Sampler, validation: list, chosen: argparse.Namespace) -> None:
    device = next(network.parameters()).device
    choice = json.loads(chosen.choice.read_text()) if chosen.choice and chosen.choice.exists() else {"compiled": chosen.compiled == "yes"}
    say(f"{choice}")
    run = torch.compile(network, dynamic=False) if choice["compiled"] else network
    average = copy.deepcopy(network)
    pairs = floating(average, network)
    optimizer = make_optimizer(network, chosen.rate)
    sizes, shares = zip(*((int(size), float(share)) for size, share in (part.split(":") for part in chosen.sizes.split(","))))
    rng = np.random.default_rng(chosen.seed)
    batch, losses, samples, steps, saved, looked = None, [], 0, 0, time.time(), time.time()
    began = time.time() - BEGAN
    size = sizes[0]
    while (passed := time.time() - BEGAN) < chosen.seconds:
        if steps % BLOCK == 0:
            batch, size = None, int(rng.choice(sizes, p=np.array(shares) / sum(shares)))
        batch = joined(batch, sampler.batch(size), sampler.mix.total)
        progress = (passed - began) / (chosen.seconds - began)
        rate = chosen.rate * min(1, (steps + 1) / WARM_UP_STEPS) * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        loss, logits = step(network, run, optimizer, batch)
        losses.append(loss)
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
            save(chosen.out / f"{'even' if int(passed / 60) % 2 == 0 else 'odd'}.pt", average, samples)
            saved = time.time()
        if validation and time.time() - looked > 150 and progress < 0.9:
            say(f"validation {scores(average, validation, 100)}")
            looked = time.time()
    save(chosen.out / "last.pt", average, samples)
    save(chosen.out / "raw.pt", network, samples)
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


def joined(before: Batch | None, new: Batch, total: int) -> Batch:
    """Returns the continued samples, then new ones. A batch always has the same number of samples."""
    if before is None:
        rows = torch.randperm(total, device=new.truth.device)[:CONTINUED]
        before = Batch(new.inputs[rows], new.truth[rows], new.weight[rows])
    return Batch(*(torch.cat([getattr(before, name), getattr(new, name)]) for name in ("inputs", "truth", "weight")))


def continued(batch: Batch, logits: Tensor) -> Batch:
    """Returns samples with one more correction each."""
    device, half = logits.device, CONTINUED // 2
    again = torch.randperm(CONTINUED, device=device)[:half]
    first = CONTINUED + torch.randperm(len(logits) - CONTINUED, device=device)[:half]
    rows = torch.cat([again, first])
    inputs, truth, weight = batch.inputs[rows], batch.truth[rows], batch.weight[rows]
    return Batch(corrected(inputs, logits[rows], truth, weight), truth, weight)


def step(network: Dextr, run: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch) -> tuple[Tensor, Tensor]:
    """Returns the loss, and the logits before the step."""
    network.train()
    inputs = batch.inputs.contiguous(memory_format=torch.channels_last)
    with torch.autocast(inputs.device.type, torch.bfloat16):
        logits = run(inputs)
    loss = loss_of(logits, batch.truth, batch.inputs[:, :3].contiguous(), batch.weight)
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


def smoke(network: Dextr, sampler: Sampler, validation: list, chosen: argparse.Namespace) -> None:
    """Measures the sampler and the training step, with and without compilation, and writes the faster one to --choice."""
    device = next(network.parameters()).device
    synchronize = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    state = copy.deepcopy(network.state_dict())
    if validation:
        say(f"start: validation {scores(network, validation, 60)}")

    def timed(name: str, what, times: int) -> float:
        what()
        what()
        synchronize()
        start = time.time()
        for _ in range(times):
            what()
        synchronize()
        took = (time.time() - start) / times
        say(f"{name}: {1000 * took:.1f} ms")
        return took

    times = 10 if device.type == "cuda" else 1
    timed("sampler", lambda: sampler.batch(256), times)
    batch = joined(None, sampler.batch(256), sampler.mix.total)
    kept = {}
    for name in ("eager", "compiled"):
        try:
            network.load_state_dict(state)
            run = torch.compile(network, dynamic=False) if name == "compiled" else network
            optimizer = make_optimizer(network, 1e-5)
            if name == "eager":
                timed("forward in training", lambda: run(batch.inputs.contiguous(memory_format=torch.channels_last)), times)
            kept[name] = timed(name, lambda: step(network, run, optimizer, batch), times)
            if name == "compiled":
                for size in (int(part.split(":")[0]) for part in chosen.sizes.split(",")[1:]):
                    other = joined(None, sampler.batch(size), sampler.mix.total)
                    timed(f"{name} {size}", lambda: step(network, run, optimizer, other), times)
        except Exception as error:  # a compiler that fails must not stop the measurement
            say(f"{name} failed: {error!r}"[:600])
        if chosen.choice:
            chosen.choice.write_text(json.dumps({"compiled": kept.get("compiled", 9e9) < 0.93 * kept.get("eager", 9e9), **kept}))
    loss, logits = step(network, network, optimizer, batch)
    timed("corrections", lambda: continued(batch, logits), times)
    say(f"loss {float(loss):.4f}; {torch.cuda.max_memory_allocated() / 2**30 if device.type == 'cuda' else 0:.1f} GiB")
    save(chosen.out / "smoke.pt", network, 0)


if __name__ == "__main__":
    main()
