"""The network: a MobileNetV2 encoder with the clicks as additional input, and a light decoder that gets them at every scale.

Input  (n, 5, h, w) float: red, green, blue in -1..1, then the heat map of the clicks on the border in 0..1, then that of the
corrections in -1..1: above 0 where the object was missed, below 0 where too much was taken. h and w are multiples of 32.
Output (n, 1, h, w) float: logits; their sigmoid is the probability that a pixel belongs to the object.

Encoder: Sandler et al. 2018, "MobileNetV2: Inverted Residuals and Linear Bottlenecks". Guidance by a map of extreme
points: Maninis et al. 2018, "Deep Extreme Cut". Everything that differs from both is our own.
"""

import re

import torch
from torch import Tensor, nn
from torch.nn import functional as F

# (expansion, channels, repeats, stride of the first block) of the encoder's stages
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]

# blocks whose output the decoder uses, from stride 2 to stride 16, and their channels
TAPS = {0: 16, 2: 24, 5: 32, 12: 96}


def conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1, active: bool = True) -> "Normed":
    """Returns a convolution with batch norm and, if `active`, ReLU6."""
    if stride == 2:
        convolution: SamePadded | Halving = Halving(inputs, outputs, kernel, stride, groups=groups, bias=False)
    else:
        convolution = SamePadded(inputs, outputs, kernel, padding=kernel // 2, groups=groups, bias=False)
    layers = [convolution, nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.05)]
    return Normed(*layers, nn.ReLU6(inplace=True)) if active else Normed(*layers)


class Normed(nn.Sequential):
    """A convolution and its norm, with or without ReLU6.

    If settled, the norm's statistics are no longer measured in training, which needs one pass over the values instead of
    three: a training step takes 0.7 of the time on a CPU. Weights, scale and shift are still trained.
    """

    settled = False

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.settled):
            return super().forward(x)
        convolution, norm, *active = self
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        y = convolution.convolve(x, convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale)
        return F.relu6(y, inplace=True) if active else y


class SamePadded(nn.Conv2d):
    """A convolution at stride 1, padded on all sides."""

    def convolve(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return F.conv2d(x, weight, bias, 1, self.padding, 1, self.groups)


class Halving(nn.Conv2d):
    """A 3 x 3 convolution at stride 2, padded below and on the right as the pretrained weights expect.

    In training on a CPU, a depthwise convolution runs at stride 1 and is subsampled: the values are the same, but the gradient takes
    2 to 6 times less.
    """

    def forward(self, x: Tensor) -> Tensor:
        if self.training and self.groups > 1 and not x.is_cuda:
            return self.convolve(x, self.weight, None)
        return super().forward(F.pad(x, (0, 1, 0, 1)))

    def convolve(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """Computes the convolution with the given weights, in training."""
        if self.groups > 1:
            return F.conv2d(x, weight, bias, 1, 1, 1, self.groups)[:, :, 1::2, 1::2]
        return F.conv2d(F.pad(x, (0, 1, 0, 1)), weight, bias, 2, 0, 1)


class InvertedResidual(nn.Module):
    """Expands channels, convolves them depthwise and projects them back."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int, kernel: int = 3):
        super().__init__()
        wide = inputs * expansion
        self.has_shortcut = stride == 1 and inputs == outputs
        self.expand = conv(inputs, wide) if expansion > 1 else None
        self.depthwise = conv(wide, wide, kernel, stride, groups=wide)
        self.project = conv(wide, outputs, active=False)

    def forward(self, x: Tensor) -> Tensor:
        y = self.expand(x) if self.expand is not None else x
        y = self.project(self.depthwise(y))
        return x + y if self.has_shortcut else y


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv(5, 32, 3, 2)
        blocks = []
        channels = 32
        for expansion, outputs, repeats, stride in STAGES:
            for n in range(repeats):
                blocks.append(InvertedResidual(channels, outputs, stride if n == 0 else 1, expansion))
                channels = outputs
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor) -> list[Tensor]:
        """Returns the features at strides 2, 4, 8, 16, 32."""
        y = self.stem(x)
        taps = []
        for n, block in enumerate(self.blocks):
            y = block(y)
            if n in TAPS:
                taps.append(y)
        return [*taps, y]


class Separable(nn.Module):
    """A depthwise convolution followed by a pointwise one."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3):
        super().__init__()
        self.depthwise = conv(inputs, inputs, kernel, groups=inputs, active=False)
        self.pointwise = conv(inputs, outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.pointwise(self.depthwise(x))


def initially_zero(channels: int, expansion: int, kernel: int) -> InvertedResidual:
    """Returns a block whose branch is initially zero, so that it can be added to a trained network without changing its output.

    After Goyal et al. 2017, "Accurate, Large Minibatch SGD": the scale of the last norm is initialised with zero.
    """
    block = InvertedResidual(channels, channels, 1, expansion, kernel)
    nn.init.zeros_(block.project[1].weight)
    return block


def hint(channels: int) -> nn.Conv2d:
    """Returns the layer that adds the corrections to features; initially it adds nothing."""
    layer = nn.Conv2d(1, channels, 1, bias=False)
    nn.init.zeros_(layer.weight)
    return layer


class Context(nn.Module):
    """The coarsest level, which adds features of the whole crop to every position."""

    def __init__(self, inputs: int, narrow: int, outputs: int):
        super().__init__()
        self.narrow = conv(inputs, narrow)
        self.mix = Separable(narrow + 1, outputs, 5)
        self.whole = nn.Conv2d(outputs, outputs, 1)
        self.more = nn.Sequential(initially_zero(outputs, 4, 5), initially_zero(outputs, 4, 5))
        self.hint = hint(narrow)

    def forward(self, x: Tensor, clicks: Tensor, corrections: Tensor) -> Tensor:
        y = self.mix(torch.cat([self.narrow(x) + self.hint(corrections), clicks], 1))
        return self.more(y + self.whole(y.mean((2, 3), keepdim=True)))


class Up(nn.Module):
    """One step to a finer scale: combines the coarse features, the encoder's features at this scale, and the clicks."""

    def __init__(self, coarse: int, skip: int, side: int, outputs: int, kernels: tuple[int, ...], more: list[InvertedResidual]):
        super().__init__()
        self.side = conv(skip, side)
        self.mix = nn.Sequential(
            *(Separable(coarse + side + 1 if n == 0 else outputs, outputs, kernel) for n, kernel in enumerate(kernels))
        )
        self.more = nn.Sequential(*more)
        self.hint = hint(side)

    def forward(self, coarse: Tensor, skip: Tensor, clicks: Tensor, corrections: Tensor) -> Tensor:
        return self.more(self.mix(torch.cat([twice(coarse), self.side(skip) + self.hint(corrections), clicks], 1)))


class Detail(nn.Module):
    """The finest level, at the input's resolution: adds to the logits what the colours show. Initially it adds nothing."""

    def __init__(self, coarse: int):
        super().__init__()
        self.look = conv(5, 8, 3)
        self.narrow = conv(coarse, 8)
        self.mix = nn.Sequential(Separable(16, 16), Separable(16, 16))
        self.out = nn.Conv2d(16, 1, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor, coarse: Tensor) -> Tensor:
        return self.out(self.mix(torch.cat([twice(self.narrow(coarse)), self.look(x)], 1)))


def twice(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


class Dextr(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        # with the clicks, which are one channel, all widths are multiples of 16, which is efficient on CPUs
        self.context = Context(320, 127, 128)
        self.ups = nn.ModuleList(
            [
                Up(128, TAPS[12], 95, 96, (5, 5), [initially_zero(96, 4, 5), initially_zero(96, 4, 5)]),
                Up(96, TAPS[5], 47, 64, (5, 5), [initially_zero(64, 2, 5)]),
                Up(64, TAPS[2], 31, 48, (5, 3), [initially_zero(48, 2, 3)]),
                Up(48, TAPS[0], 15, 32, (3, 3), []),
            ]
        )
        self.out = nn.Conv2d(32, 1, 1)
        self.detail = Detail(32)

    def settle(self) -> None:
        """Freezes the measured means and variances of all norms in further training."""
        for module in self.modules():
            if isinstance(module, Normed):
                module.settled = True

    def forward(self, x: Tensor) -> Tensor:
        clicks, more, less = x[:, 3:4], F.relu(x[:, 4:5]), F.relu(-x[:, 4:5])
        pyramid = []
        for _ in range(5):
            clicks, more, less = F.max_pool2d(clicks, 2), F.max_pool2d(more, 2), F.max_pool2d(less, 2)
            pyramid.append((clicks, more - less))
        *skips, deepest = self.encoder(x)
        y = self.context(deepest, *pyramid.pop())
        for up in self.ups:
            y = up(y, skips.pop(), *pyramid.pop())
        return twice(self.out(y)) + self.detail(x, y)


# parameters that the weights of an older network do not have; they initially add nothing
ADDED = re.compile(r"\.more\.|\.hint\.|^detail\.")


def widened(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Returns the weights of a network without corrections as weights of a network with corrections, which ignores them at first."""
    name = "encoder.stem.0.weight"
    stem = weights[name]
    return {**weights, name: torch.cat([stem, stem.new_zeros(len(stem), 5 - stem.shape[1], *stem.shape[2:])], 1)}
