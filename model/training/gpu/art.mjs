/**
 * Renders drawings with transparency from npm packages, as objects with exact masks: art.json with the places of WebP
 * files in art.bin.
 *
 *     npm install --ignore-scripts && node gpu/art.mjs FOLDER
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";

/**
 * Packages whose licences require only a notice in derived works, and the largest number of drawings to take from each.
 */
const SETS = [
  ["noto", 900],
  ["fluent-emoji", 900],
  ["flat-color-icons", 400],
];
/** Drawings to leave out: variants that differ only in colour, and drawings that fill their square. */
const LEFT_OUT = /skin|flag|-tone|medium|light$|dark$|clock|keycap|button|letter|symbol|face-/;
const SIDE = 176;

const folder = resolve(process.argv[2] ?? ".");
mkdirSync(folder, { recursive: true });
const items = [];
const files = [];
let at = 0;
for (const [set, most] of SETS) {
  const { icons, width, height } = JSON.parse(
    readFileSync(join(import.meta.dirname, `../node_modules/@iconify-json/${set}/icons.json`), "utf8"),
  );
  const names = Object.keys(icons).filter((name) => !LEFT_OUT.test(name));
  const step = Math.max(1, names.length / most);
  for (let n = 0; n < names.length; n += step) {
    const name = names[Math.floor(n)];
    const file = await render({ width, height, ...icons[name] });
    items.push({ set, name, i: [at, file.length] });
    files.push(file);
    at += file.length;
  }
}
writeFileSync(join(folder, "art.bin"), Buffer.concat(files));
writeFileSync(join(folder, "art.json"), JSON.stringify({ format: "limn-art-1", items }));

function render({ body, left = 0, top = 0, width = 16, height = 16 }) {
  const box = `viewBox="${left} ${top} ${width} ${height}" width="${SIDE}" height="${SIDE}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${box}>${body}</svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: 85, alphaQuality: 100 }).toBuffer();
}
