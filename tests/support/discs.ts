import { encode } from "bmp-ts";
import sharp, { type Sharp } from "sharp";

/** A bright disc, ring or blurred disc on dark ground, which any network that finds objects must find. */
export interface Disc {
  x: number;
  y: number;
  radius: number;
  /** Radius of a dark hole in the centre. */
  hole?: number;
  /** Image pixels over which its edge fades. */
  soft?: number;
}

/** The extreme points of a disc, as pixels. */
export const extremesOf = ({ x, y, radius }: Disc): [number, number][] => [
  [x - 0.5, y - radius],
  [x - radius, y - 0.5],
  [x - 0.5, y + radius - 1],
  [x + radius - 1, y - 0.5],
];

export function drawDiscs(width: number, height: number, discs: readonly Disc[], ground = 10): Sharp {
  return sharp(discPixels(width, height, discs, ground), { raw: { width, height, channels: 3 } });
}

/** Returns the image of `drawDiscs` as a Windows bitmap. */
export function discBmp(width: number, height: number, discs: readonly Disc[]): Buffer {
  const rgb = discPixels(width, height, discs, 10);
  const data = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++) data.fill(rgb[3 * i] ?? 0, 4 * i + 1, 4 * i + 4);
  return encode({ data, width, height, bitPP: 24 }).data;
}

function discPixels(width: number, height: number, discs: readonly Disc[], ground: number): Buffer {
  const data = Buffer.alloc(3 * width * height, ground);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const share = Math.max(...discs.map((disc) => coverOf(disc, x + 0.5, y + 0.5)), 0);
      data.fill(Math.round(ground + share * (245 - ground)), 3 * (y * width + x), 3 * (y * width + x) + 3);
    }
  return data;
}

function coverOf({ x, y, radius, hole = 0, soft = 1 }: Disc, px: number, py: number): number {
  const distance = Math.hypot(px - x, py - y);
  const inside = Math.min(Math.max((radius - distance) / soft + 0.5, 0), 1);
  return hole > 0 ? Math.min(inside, Math.min(Math.max((distance - hole) / soft + 0.5, 0), 1)) : inside;
}
