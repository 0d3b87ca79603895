import { seededGenerator } from "./drawnScenes";

export interface TexturedImage {
  width: number;
  height: number;
  /** Red, green, blue, alpha of each pixel, row by row. */
  data: Uint8ClampedArray;
  /** A pixel of the object. */
  start: { x: number; y: number };
}

const THING = [92, 128, 74] as const;
const GROUND = [186, 170, 150] as const;

/**
 * An object that covers about `share` of the image's pixels on a ground, both photographic: with uneven light, stains,
 * grain, a soft uneven border, and holes.
 */
export function texturedImage(width: number, height: number, share: number): TexturedImage {
  const random = seededGenerator(7);
  const stains = valueNoise(random);
  const grain = Float32Array.from({ length: 1 << 16 }, () => 4 * gauss(random));
  const [centreX, centreY] = [width * 0.48, height * 0.52];
  const radius = Math.sqrt((share * width * height) / Math.PI);
  const border = Float64Array.from({ length: 4096 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 4096;
    return radius * (1 + 0.12 * Math.sin(3 * angle + 1) + 0.06 * Math.sin(7 * angle) + 0.03 * Math.sin(19 * angle + 2));
  });
  const holes = Array.from({ length: 6 }, (_, i) => ({
    x: centreX + radius * 0.6 * Math.cos(i),
    y: centreY + radius * 0.6 * Math.sin(i),
    radius: radius * (0.04 + 0.015 * i),
  }));
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - centreX, y - centreY];
      const angle = Math.floor(((Math.atan2(dy, dx) / (2 * Math.PI) + 1) % 1) * 4096);
      const uneven = 5 * stains(x / 9, y / 9) + 3 * stains(x / 3, y / 3);
      let depth = border[angle]! - Math.sqrt(dx * dx + dy * dy) + uneven;
      for (const hole of holes) depth = Math.min(depth, Math.hypot(x - hole.x, y - hole.y) - hole.radius + uneven);
      const part = Math.min(Math.max(depth / 4 + 0.5, 0), 1);
      const light = 6 * stains(x / 150, y / 150) + 5 * stains(x / 25, y / 25) + 8 * (y / height - 0.5);
      const at = 4 * (y * width + x);
      for (let channel = 0; channel < 3; channel++) {
        const base = GROUND[channel]! + part * (THING[channel]! - GROUND[channel]!);
        data[at + channel] = base + light + grain[Math.floor(random() * grain.length)]!;
      }
      data[at + 3] = 255;
    }
  const start = { x: Math.round(centreX), y: Math.round(centreY) };
  data.set([...THING, 255], 4 * (start.y * width + start.x));
  return { width, height, data, start };
}

/** Returns smooth values from -1 to 1, interpolated between those of a random grid. */
function valueNoise(random: () => number): (x: number, y: number) => number {
  const side = 256;
  const values = Float32Array.from({ length: side * side }, () => 2 * random() - 1);
  const at = (column: number, row: number) => values[(row & (side - 1)) * side + (column & (side - 1))]!;
  return (x, y) => {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [smooth(x - column), smooth(y - row)];
    const above = at(column, row) * (1 - u) + at(column + 1, row) * u;
    const below = at(column, row + 1) * (1 - u) + at(column + 1, row + 1) * u;
    return above * (1 - v) + below * v;
  };
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
