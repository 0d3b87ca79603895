import { readFileSync } from "node:fs";
import { request } from "node:http";
import { basename } from "node:path";
import type { Browser } from "@playwright/test";
import { type DextrHarness, startHarness } from "../support/dextrHarness";
import { loadPhotographs } from "../support/photographs";
import type { Bed } from "./bed";
import { launchBrowser } from "./browser";
import type { Figure } from "./figures";
import { polygon, seedImages } from "./seed";
import { inMs, median } from "./sideBySide";

const PHOTOGRAPHS = 500;
const ROUNDS = 3;
const IMAGES = 10_000;
const CHANGED = 100;
const ANNOTATIONS = 5;
const MAX_RATIO = 1.5;
const MAX_MB = 3;

/** Measures copies of datasets: making photographs available in Chromium, and the bytes of an update. */
export async function offline(bed: Bed): Promise<Figure[]> {
  const harness = await startHarness(bed.server.url, "offlinePage");
  const browser = await launchBrowser();
  try {
    return [await makeAvailable(bed, harness, browser), await bytesOfUpdate(bed)];
  } finally {
    await browser.close();
    await harness.remove();
  }
}

async function makeAvailable(bed: Bed, harness: DextrHarness, browser: Browser): Promise<Figure> {
  const { id } = await bed.client.send<{ id: number }>("POST", "dataset/?name=photographs", {});
  const { files } = await loadPhotographs(harness.folder);
  const images: number[] = [];
  for (let i = 0; i < PHOTOGRAPHS; i++) images.push(await upload(bed, id, files[i % files.length] ?? "", i));
  const times = { ours: [] as number[], bare: [] as number[] };
  let bytes = 0;
  for (let round = -1; round < ROUNDS; round++) {
    const bare = await inNewPage(harness, browser, (page) =>
      page.evaluate((ids) => window.offlinePage.bareDownload(ids.map((image) => `api/image/${image}`)), images),
    );
    const ours = await inNewPage(harness, browser, (page) =>
      page.evaluate((dataset) => window.offlinePage.makeAvailable(dataset), id),
    );
    if (ours.here !== PHOTOGRAPHS) throw new Error(`${ours.here} of ${PHOTOGRAPHS} images`);
    bytes = bare.bytes;
    // The first round warms the server up.
    if (round < 0) continue;
    times.ours.push(ours.ms);
    times.bare.push(bare.ms);
  }
  const [ours, bare] = [median(times.ours), median(times.bare)];
  return {
    what: `Making ${PHOTOGRAPHS} photographs (${Math.round(bytes / 1e6)} MB) available offline, ${bed.kind}`,
    ours: inMs(ours),
    peer: `bare download over four connections ${inMs(bare)}`,
    ratio: ours / bare,
    goal: `at most ${MAX_RATIO} times`,
    met: ours / bare <= MAX_RATIO,
  };
}

async function upload(bed: Bed, datasetId: number, file: string, number: number): Promise<number> {
  const form = new FormData();
  form.append("dataset_id", String(datasetId));
  form.append("image", new Blob([new Uint8Array(readFileSync(file))]), `${number} ${basename(file)}`);
  return (await (await bed.client.fetch("POST", "image/", form)).json()) as number;
}

type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** Runs in a new profile, in which nothing is stored. */
async function inNewPage<T>(harness: DextrHarness, browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await context.request.post(`${harness.url}api/user/login`, {
      data: { username: "bench", password: "bench-password" },
      headers: { Origin: new URL(harness.url).origin },
    });
    await page.goto(harness.url);
    return await work(page);
  } finally {
    await context.close();
  }
}

async function bytesOfUpdate(bed: Bed): Promise<Figure> {
  const { id } = await bed.client.send<{ id: number }>("POST", "dataset/?name=update", {});
  const { id: category } = await bed.client.send<{ id: number }>("POST", "category/", { name: "thing" });
  await bed.rows(({ db }) => seedImages(db, id, IMAGES));
  const { images } = await bed.client.get<{ images: { id: number }[] }>(`dataset/${id}/manifest`);
  const changed = images.slice(0, CHANGED).map((image) => image.id);
  for (const image of changed)
    for (let i = 0; i < ANNOTATIONS; i++)
      await bed.client.send("POST", "annotation/", {
        ...{ image_id: image, category_id: category, segmentation: [polygon(image * ANNOTATIONS + i)] },
      });
  const manifest = await bytesOf(bed, "GET", `dataset/${id}/manifest`);
  const scenes = await bytesOf(bed, "POST", `dataset/${id}/scenes`, { ids: changed });
  const mb = (manifest + scenes) / 1e6;
  return {
    what: `Bytes of an update after ${CHANGED} of ${IMAGES.toLocaleString("en")} images changed, compressed, ${bed.kind}`,
    ours: `${mb.toFixed(2)} MB: manifest ${inKb(manifest)}, scenes ${inKb(scenes)}`,
    peer: "-",
    ratio: null,
    goal: `under ${MAX_MB} MB`,
    met: mb < MAX_MB,
  };
}

const inKb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

/** Returns the bytes of a response's body as a browser without https receives it. */
function bytesOf({ client }: Bed, method: string, path: string, body?: object): Promise<number> {
  const headers = { ...client.headers, "Accept-Encoding": "gzip, deflate", "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(`${client.url}api/${path}`, { method, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}
