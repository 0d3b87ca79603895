/** Colours as they are seen, for tests of contrast. Channels are those of sRGB, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const rgbOf = (hex: string): Rgb => {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
};

/** Returns `color` painted over `ground` with an opacity of 0 to 1. */
export const over = (color: Rgb, ground: Rgb, opacity: number): Rgb =>
  mapped(color, (value, i) => value * opacity + ground[i]! * (1 - opacity));

/**
 * Simulates deuteranopia, the most common kind of colour blindness: the matrix of severity 1.0 for linear RGB from
 * G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (6), 2009.
 */
export function withDeuteranopia(color: Rgb): Rgb {
  const linear = mapped(color, toLinear);
  const seen = DEUTERANOPIA.map((row) => row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]);
  return mapped(seen as unknown as Rgb, (value) => fromLinear(Math.max(0, Math.min(1, value))));
}

const DEUTERANOPIA = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
] as const;

/**
 * Returns the difference of two colours in CIELAB (CIE 1976, white D65). About 2 is just noticeable side by side; 10 is
 * seen at a glance.
 */
export function differenceOf(a: Rgb, b: Rgb): number {
  const [first, second] = [labOf(a), labOf(b)];
  return Math.hypot(...first.map((value, i) => value - second[i]!));
}

function labOf(color: Rgb): [number, number, number] {
  const [red, green, blue] = mapped(color, toLinear);
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const root = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

const mapped = (color: Rgb, change: (value: number, index: number) => number): Rgb => [
  change(color[0], 0),
  change(color[1], 1),
  change(color[2], 2),
];
