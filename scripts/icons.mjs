// Draws the application's icons in web/public: `node scripts/icons.mjs`. Run it manually after a change of the drawing.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { root } from "./run.mjs";

const BACKGROUND = "#1f2430";
const LINE = "#5ad1b3";
/** Points of an outline being drawn, in a square of 64; its last side is dashed. */
const points = [
  [15, 40],
  [20, 19],
  [38, 13],
  [51, 27],
  [46, 48],
  [28, 51],
];

const drawing = `
  <polygon points="${points.join(" ")}" fill="${LINE}" fill-opacity="0.22"/>
  <polyline points="${points.join(" ")}" fill="none" stroke="${LINE}" stroke-width="4" stroke-linejoin="round"/>
  <line x1="28" y1="51" x2="15" y2="40" stroke="${LINE}" stroke-width="4" stroke-dasharray="1 6.5" stroke-linecap="round"/>
  ${points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="4.2" fill="#fff"/>`).join("\n  ")}`;

const svg = (corner, scale) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <title>Limn</title>
  <rect width="64" height="64" rx="${corner}" fill="${BACKGROUND}"/>
  <g transform="translate(32 32) scale(${scale}) translate(-32 -32)">${drawing}
  </g>
</svg>
`;

const folder = join(root, "web", "public");
const png = (source, size, name) =>
  sharp(Buffer.from(source), { density: 72 * (size / 64) })
    .resize(size)
    .png()
    .toFile(join(folder, name));

writeFileSync(join(folder, "icon.svg"), svg(14, 1));
await png(svg(14, 1), 192, "icon-192.png");
await png(svg(14, 1), 512, "icon-512.png");
// Maskable: the background fills the square, the drawing stays inside the safe zone.
await png(svg(0, 0.8), 512, "icon-maskable.png");
await png(svg(0, 0.9), 180, "icon-180.png");
