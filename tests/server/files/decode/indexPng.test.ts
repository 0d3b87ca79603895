import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { expect, it } from "vitest";
import { type Band, indexPng } from "../../../../server/files/decode/indexPng";

/** Returns the number of its column for each pixel. */
function columns(width: number) {
  return ({ pixels, stride, bytes }: Band, from: number, to: number) => {
    for (let y = from; y < to; y++)
      for (let x = 0; x < width; x++) pixels.writeUIntBE(x % 60_000, (y - from) * stride + 1 + x * bytes, bytes);
  };
}

it("writes a palette's colours by number", async () => {
  const palette = ["#000000", "#ff0000", "#00ff00", "#0000ff"];
  const png = await buffer(Readable.from(indexPng({ width: 4, height: 3, palette, paint: columns(4) })));
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([4, 3]);
  expect([...data.subarray(-12)]).toEqual([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
});

it("writes 16-bit numbers in every band of a large image", async () => {
  const [width, height] = [3000, 1500];
  const png = await buffer(Readable.from(indexPng({ width, height, palette: null, paint: columns(width) })));
  const data = await sharp(png).toColourspace("grey16").raw({ depth: "ushort" }).toBuffer();
  const pixels = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  expect(pixels).toHaveLength(width * height);
  for (const y of [0, 665, 666, 667, 1333, 1499])
    expect([pixels[y * width], pixels[y * width + 1], pixels[y * width + 2999]]).toEqual([0, 1, 2999]);
});

it("fails when painting fails", async () => {
  const paint = () => {
    throw new Error("no paint");
  };
  await expect(buffer(Readable.from(indexPng({ width: 4, height: 3, palette: null, paint })))).rejects.toThrow(
    "no paint",
  );
});
