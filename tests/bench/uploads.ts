import sharp, { type Sharp } from "sharp";
import { seededRandom } from "../support/seededRandom";
import { zipOf } from "../support/zips";
import type { Bed } from "./bed";
import type { Client } from "./client";
import type { Figure } from "./figures";
import { withTwoUsers } from "./secondUser";

/** Number of thumbnails that a browser requests at a time. */
const AT_ONCE = 6;

interface Upload {
  what: string;
  files: () => Promise<Record<string, Uint8Array | Blob>>;
}

/**
 * Uploads files of one user, and opens the list that shows them, while a second user saves and opens an image
 * continuously.
 */
export async function uploads(bed: Pick<Bed, "kind" | "server">): Promise<Figure[]> {
  return withTwoUsers(bed, { small: [640, 480] }, async ({ first, hers, during }) => {
    const figures: Figure[] = [];
    for (const { what, files } of KINDS) {
      const made = await files();
      figures.push(await during(`one uploads ${what}`, () => uploadAndShow(first, hers.id, made)));
    }
    return figures;
  });
}

const KINDS: readonly Upload[] = [
  { what: "a PNG of 10,000 x 12,000 in one colour", files: async () => ({ "flat.png": await flat(10_000, 12_000) }) },
  {
    what: "a PNG of 20,000 x 20,000, which is refused",
    files: async () => ({ "bomb.png": await flat(20_000, 20_000) }),
  },
  {
    what: "four photographs of 24 MP as JPEG",
    files: async () => named(4, "jpg", (i) => photograph(6000, 4000, i).jpeg({ quality: 90 }).toBuffer()),
  },
  { what: "a TIFF of 24 MP", files: async () => ({ "a.tif": await photograph(6000, 4000, 9).tiff().toBuffer() }) },
  {
    what: "500 small PNGs",
    files: async () => named(500, "png", (i) => photograph(64, 48, i).png().toBuffer()),
  },
  {
    what: "a zip of 500 small PNGs and four photographs of 24 MP",
    files: async () => {
      const small = await named(500, "png", (i) => photograph(65, 48, i).png().toBuffer());
      const large = await named(4, "jpg", (i) =>
        photograph(6000, 4000, 20 + i)
          .jpeg({ quality: 90 })
          .toBuffer(),
      );
      return { "all.zip": await zipOf({ ...small, ...large }) };
    },
  },
  {
    what: "a zip of 1 GB of zeros",
    files: async () => ({ "zeros.zip": await zipOf({ "b.png": new Uint8Array(1e9) }) }),
  },
];

async function named(count: number, extension: string, make: (i: number) => Promise<Uint8Array>) {
  const files: Record<string, Uint8Array> = {};
  for (let i = 0; i < count; i++) files[`${count} ${i}.${extension}`] = await make(i);
  return files;
}

function flat(width: number, height: number): Promise<Uint8Array> {
  const create = { width, height, channels: 3 as const, background: "#556677" };
  return sharp({ create, limitInputPixels: false }).png().toBuffer();
}

/** Returns an image with noise, whose bytes differ by seed. It compresses like a photograph. */
function photograph(width: number, height: number, seed: number): Sharp {
  const next = seededRandom(seed + 1);
  const side = 64;
  const tile = Buffer.from(Array.from({ length: side * side * 3 }, () => Math.floor(next() * 256)));
  return sharp(tile, { raw: { width: side, height: side, channels: 3 } }).resize(width, height, { fit: "fill" });
}

/** Returns status and milliseconds. Waits for the task of a zip. */
async function uploadAndShow(client: Client, datasetId: number, files: Record<string, Uint8Array | Blob>) {
  const start = performance.now();
  const form = new FormData();
  for (const [name, content] of Object.entries(files))
    form.append("files", content instanceof Blob ? content : new Blob([new Uint8Array(content)]), name);
  const address = `${client.url}api/dataset/${datasetId}/upload`;
  const response = await fetch(address, { method: "POST", body: form, headers: client.headers });
  const uploaded = performance.now() - start;
  const answer = (await response.json()) as { files?: { id: number | null; status: string }[] };
  await allTasksEnded(client);
  const ids = (answer.files ?? []).flatMap(({ id, status }) => (status === "added" ? (id ?? []) : [])).slice(0, 50);
  await showThumbnails(client, ids);
  const all = performance.now() - start;
  return `${response.status} in ${uploaded.toFixed(0)} ms, tasks and ${ids.length} thumbnails in ${all.toFixed(0)} ms`;
}

async function allTasksEnded(client: Client): Promise<void> {
  for (;;) {
    const tasks = await client.get<{ state: string }[]>("tasks/");
    if (!tasks.some(({ state }) => state === "queued" || state === "running")) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function showThumbnails(client: Client, ids: readonly number[]): Promise<void> {
  const left = [...ids];
  const take = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      await (await client.fetch("GET", `image/${id}?width=250&thumbnail=true`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
