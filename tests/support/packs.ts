import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

/** A white rectangle on black. */
interface Drawn {
  source: string;
  width: number;
  height: number;
  /** Left, top, right, bottom. */
  box: readonly [number, number, number, number];
  ignored?: readonly [number, number, number, number];
  /** True makes its mask all black. */
  isEmpty?: boolean;
}

/** Writes a pack of drawn rectangles. The mask of each is a 1-bit PNG of its box. */
export async function writePack(folder: string, name: string, drawn: readonly Drawn[]): Promise<void> {
  const chunks: Buffer[] = [];
  const keep = (bytes: Buffer): [number, number] => {
    const offset = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    chunks.push(bytes);
    return [offset, bytes.length];
  };
  const items = [];
  for (const { source, width, height, box, ignored, isEmpty } of drawn) {
    const [left, top, right, bottom] = box;
    items.push({
      s: source,
      k: `${source}-${items.length}`,
      w: width,
      h: height,
      i: keep(await rectangle(width, height, box).webp({ lossless: true }).toBuffer()),
      m: [
        [
          left,
          top,
          right - left,
          bottom - top,
          ...keep(await bits(right - left, bottom - top, [0, 0, isEmpty ? 0 : right - left, bottom - top])),
        ],
      ],
      ...(ignored && { g: keep(await bits(width, height, ignored)) }),
    });
  }
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ format: "dextr-pack-1", items }));
  await writeFile(join(folder, `${name}.bin`), Buffer.concat(chunks));
}

function rectangle(width: number, height: number, [left, top, right, bottom]: Drawn["box"]) {
  const data = Buffer.alloc(width * height);
  for (let y = top; y < bottom; y++) data.fill(255, y * width + left, y * width + right);
  return sharp(data, { raw: { width, height, channels: 1 } });
}

function bits(width: number, height: number, box: Drawn["box"]): Promise<Buffer> {
  return rectangle(width, height, box).toColourspace("b-w").png({ palette: true, colours: 2 }).toBuffer();
}
