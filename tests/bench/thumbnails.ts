import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { THUMBNAIL_WIDTH } from "../../shared/constants";
import type { Bed } from "./bed";
import { type Figure, perSecond, rate, timed } from "./figures";

const IMAGES = 140;
/** Number of thumbnails that are not measured, because the code of a newly started server is still being compiled. */
const WARM_UP = 40;
const AT_ONCE = 4;
const [WIDTH, HEIGHT] = [4000, 3000];

/** Measures first thumbnails of 12-megapixel JPEGs through the API, beside sharp alone in this process. */
export async function thumbnails(bed: Bed): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "limn-bench-images-"));
  const files = await makeImageFiles(folder);
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=thumbnails", {});
  const ids = await inTurns(files, async (file) => {
    const form = new FormData();
    form.append("dataset_id", String(dataset.id));
    form.append(
      "image",
      new Blob([new Uint8Array(await sharp(file).jpeg({ quality: 90 }).toBuffer())]),
      file.slice(folder.length + 1),
    );
    return (await (await bed.client.fetch("POST", "image/", form)).json()) as number;
  });

  const measured = files.length - WARM_UP;
  const half = WARM_UP + measured / 2;
  const work = (file: string) => sharp(file).rotate().resize({ width: THUMBNAIL_WIDTH }).jpeg().toBuffer();
  const fetchOne = async (id: number) =>
    (await bed.client.fetch("GET", `image/${id}?width=${THUMBNAIL_WIDTH}&thumbnail=true`)).arrayBuffer();
  await inTurns(files.slice(0, WARM_UP), work);
  await inTurns(ids.slice(0, WARM_UP), fetchOne);
  // Alternating, so that a change of the machine's speed affects both.
  const peer = [await timed(() => inTurns(files.slice(WARM_UP, half), work))];
  const ours = [await timed(() => inTurns(ids.slice(WARM_UP, half), fetchOne))];
  peer.push(await timed(() => inTurns(files.slice(half), work)));
  ours.push(await timed(() => inTurns(ids.slice(half), fetchOne)));
  rmSync(folder, { recursive: true });

  const sum = (list: { ms: number }[]) => list.reduce((ms, run) => ms + run.ms, 0);
  const ourRate = perSecond(measured, sum(ours));
  const peerRate = perSecond(measured, sum(peer));
  return {
    what: `First thumbnail of a 12-megapixel JPEG, ${AT_ONCE} at once`,
    ours: rate(ourRate, "thumbnails"),
    peer: `${rate(peerRate, "thumbnails")}: sharp alone`,
    ratio: ourRate / peerRate,
    goal: "at least 0.8",
    met: ourRate / peerRate >= 0.8,
  };
}

async function makeImageFiles(folder: string): Promise<string[]> {
  const noise = await sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: "#88aacc",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .blur(2)
    .raw()
    .toBuffer();
  const numbers = Array.from({ length: IMAGES }, (_, i) => i);
  return inTurns(numbers, async (i) => {
    const file = join(folder, `${i}.jpg`);
    const raw = { width: WIDTH, height: HEIGHT, channels: 3 as const };
    await sharp(noise, { raw })
      .modulate({ hue: i * 6 })
      .jpeg({ quality: 90 })
      .toFile(file);
    return file;
  });
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
