"""The network: a MobileNetV2 encoder that also sees the clicks, and a light decoder that is shown them again at every scale.

Input  (n, 4, h, w) float: red, green, blue in -1..1, then the heat map of the clicks in 0..1; h and w multiples of 32.
Output (n, 1, h, w) float: logits; their sigmoid is the probability that a pixel belongs to the object.

Encoder: Sandler et al. 2018, "MobileNetV2: Inverted Residuals and Linear Bottlenecks". Guidance by a map of extreme
points: Maninis et al. 2018, "Deep Extreme Cut". What differs from both is our own.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

# (expansion, channels, repeats, stride of the first) of the encoder's stages
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]

# blocks whose output the decoder takes, from stride 2 to stride 16, and their channels
TAPS = {0: 16, 2: 24, 5: 32, 12: 96}


def conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1, active: bool = True) -> "Normed":
    """Convolution, batch norm, ReLU6."""
    if stride == 2:
        convolution: Around | Halving = Halving(inputs, outputs, kernel, stride, groups=groups, bias=False)
    else:
        convolution = Around(inputs, outputs, kernel, padding=kernel // 2, groups=groups, bias=False)
    layers = [convolution, nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.05)]
    return Normed(*layers, nn.ReLU6(inplace=True)) if active else Normed(*layers)


class Normed(nn.Sequential):
    """A convolution and its norm, with or without ReLU6.

    A settled one no longer measures its norm while it trains, and so needs one pass over its values in place of three:
    a training step takes a processor 0.7 of the time. Its weights and the norm's scale and shift go on learning.
    """

    settled = False

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.settled):
            return super().forward(x)
        convolution, norm, *active = self
        scale = norm.weight * torch.rsqrt(norm.running_var + norm.eps)
        y = convolution.look(x, convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale)
        return F.relu6(y, inplace=True) if active else y


class Around(nn.Conv2d):
    """A convolution at stride 1, padded on all sides."""

    def look(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return F.conv2d(x, weight, bias, 1, self.padding, 1, self.groups)


class Halving(nn.Conv2d):
    """A 3 x 3 convolution at stride 2, padded below and on the right as the pretrained weights expect.

    A depthwise one trains at stride 1 and is thinned out: the same values, but its gradient takes a processor 2 to 6
    times less.
    """

    def forward(self, x: Tensor) -> Tensor:
        if self.training and self.groups > 1:
            return self.look(x, self.weight, None)
        return super().forward(F.pad(x, (0, 1, 0, 1)))

    def look(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """The same with other weights, in training."""
        if self.groups > 1:
            return F.conv2d(x, weight, bias, 1, 1, 1, self.groups)[:, :, 1::2, 1::2]
        return F.conv2d(F.pad(x, (0, 1, 0, 1)), weight, bias, 2, 0, 1)


class InvertedResidual(nn.Module):
    """Widen, look around depth by depth, narrow."""

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
        self.stem = conv(4, 32, 3, 2)
        blocks = []
        channels = 32
        for expansion, outputs, repeats, stride in STAGES:
            for n in range(repeats):
                blocks.append(InvertedResidual(channels, outputs, stride if n == 0 else 1, expansion))
                channels = outputs
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor) -> list[Tensor]:
        """Features at strides 2, 4, 8, 16, 32."""
        y = self.stem(x)
        taps = []
        for n, block in enumerate(self.blocks):
            y = block(y)
            if n in TAPS:
                taps.append(y)
        return [*taps, y]


class Separable(nn.Module):
    """A depthwise convolution and a pointwise one."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3):
        super().__init__()
        self.depthwise = conv(inputs, inputs, kernel, groups=inputs, active=False)
        self.pointwise = conv(inputs, outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.pointwise(self.depthwise(x))


def begun_as_nothing(channels: int, expansion: int, kernel: int) -> InvertedResidual:
    """A block whose branch begins at zero, so that a network that has learned without it can be given it and goes on from there.

    After Goyal et al. 2017, "Accurate, Large Minibatch SGD": the last norm's scale begins at zero.
    """
    block = InvertedResidual(channels, channels, 1, expansion, kernel)
    nn.init.zeros_(block.project[1].weight)
    return block


class Context(nn.Module):
    """The coarsest level: what the whole crop looks like is added to every place."""

    def __init__(self, inputs: int, narrow: int, outputs: int):
        super().__init__()
        self.narrow = conv(inputs, narrow)
        self.mix = Separable(narrow + 1, outputs, 5)
        self.whole = nn.Conv2d(outputs, outputs, 1)
        self.more = nn.Sequential(begun_as_nothing(outputs, 4, 5), begun_as_nothing(outputs, 4, 5))

    def forward(self, x: Tensor, clicks: Tensor) -> Tensor:
        y = self.mix(torch.cat([self.narrow(x), clicks], 1))
        return self.more(y + self.whole(y.mean((2, 3), keepdim=True)))


class Up(nn.Module):
    """One scale finer: the coarse features, the encoder's at this scale, and the clicks."""

    def __init__(self, coarse: int, skip: int, side: int, outputs: int, kernels: tuple[int, ...], more: list[InvertedResidual]):
        super().__init__()
        self.side = conv(skip, side)
        self.mix = nn.Sequential(
            *(Separable(coarse + side + 1 if n == 0 else outputs, outputs, kernel) for n, kernel in enumerate(kernels))
        )
        self.more = nn.Sequential(*more)

    def forward(self, coarse: Tensor, skip: Tensor, clicks: Tensor) -> Tensor:
        return self.more(self.mix(torch.cat([twice(coarse), self.side(skip), clicks], 1)))


def twice(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


class Dextr(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        # with the clicks, which are one channel, all widths are multiples of 16: that is what processors like
        self.context = Context(320, 127, 128)
        self.ups = nn.ModuleList(
            [
                Up(128, TAPS[12], 95, 96, (5, 5), [begun_as_nothing(96, 4, 5), begun_as_nothing(96, 4, 5)]),
                Up(96, TAPS[5], 47, 64, (5, 5), [begun_as_nothing(64, 2, 5)]),
                Up(64, TAPS[2], 31, 48, (5, 3), [begun_as_nothing(48, 2, 3)]),
                Up(48, TAPS[0], 15, 32, (3, 3), []),
            ]
        )
        self.out = nn.Conv2d(32, 1, 1)

    def settle(self) -> None:
        """From now on training leaves the measured means and variances of all norms as they are."""
        for module in self.modules():
            if isinstance(module, Normed):
                module.settled = True

    def forward(self, x: Tensor) -> Tensor:
        clicks = x[:, 3:4]
        pyramid = []
        for _ in range(5):
            clicks = F.max_pool2d(clicks, 2)
            pyramid.append(clicks)
        *skips, deepest = self.encoder(x)
        y = self.context(deepest, pyramid.pop())
        for up in self.ups:
            y = up(y, skips.pop(), pyramid.pop())
        return twice(self.out(y))
