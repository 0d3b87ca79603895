import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import sharp, { type Sharp } from "sharp";
import type { Rings } from "../../shared/entities/shape";
import type { DextrStatus, RuntimeChoice } from "../../web/io/dextr/dextr";
import { Desk } from "../support/annotatorDesk";
import { type DextrHarness, startDextrHarness } from "../support/dextrHarness";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { overlap } from "../support/overlap";

/**
 * DEXTR in Chromium, independent of the network's weights: WebAssembly, WebGPU on a simulated graphics card and the
 * server return the same outline, also after failures.
 */
test.describe.configure({ mode: "serial" });
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = ["--enable-unsafe-webgpu", "--host-resolver-rules=MAP limn.test 127.0.0.1"];
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] });
  },
});

const [WIDTH, HEIGHT] = [640, 480];
/** Extreme points of the ellipse below. */
const POINTS: [number, number][] = [
  [330, 90],
  [500, 260],
  [310, 380],
  [150, 230],
];

interface Asked {
  address: string;
  id?: number;
  choice?: RuntimeChoice;
  size?: number;
  padding?: number;
}
interface Answered {
  rings: Rings;
  status: DextrStatus;
  ms: number;
}

let server: LiveServer;
let harness: DextrHarness;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["dataset"]>>;

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  harness = await startDextrHarness(server.url);
  context = await browser.newContext();
  page = await context.newPage();
  desk = new Desk(page, harness.url);
  await desk.register("dextr");
  images = await desk.dataset("runtimes", [], {
    "plain.jpg": await scene().jpeg({ quality: 85 }).toBuffer(),
    "turned.jpg": await rotatedScene(),
    "inks.jpg": await scene().toColourspace("cmyk").jpeg({ quality: 90 }).toBuffer(),
    "wide.jpg": await scene().withIccProfile("p3").jpeg({ quality: 90 }).toBuffer(),
    "clear.png": await scene()
      .composite([{ input: await opacityGradient(), blend: "dest-in" }])
      .png()
      .toBuffer(),
  });
  writeFileSync(join(harness.folder, "assets", "plain.jpg"), await scene().jpeg({ quality: 85 }).toBuffer());
});
test.beforeEach(async () => {
  await page.goto(harness.url);
  await page.evaluate(async () => {
    localStorage.clear();
    for (const name of await caches.keys()) await caches.delete(name);
  });
});
test.afterAll(async () => {
  await context?.close();
  await harness?.remove();
  await server?.remove();
});

/** A rough bright ellipse on rough dark ground. */
function scene(): Sharp {
  const roughTexture = (frequency: number, seed: number) =>
    `<feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="3" seed="${seed}"/>
     <feColorMatrix values="0.3 0 0 0 0 0.3 0 0 0 0 0.3 0 0 0 0 0 0 0 0 1"/><feBlend in2="SourceGraphic" mode="screen"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <filter id="a">${roughTexture(0.05, 1)}</filter><filter id="b">${roughTexture(0.2, 2)}<feComposite in2="SourceGraphic" operator="in"/></filter>
    <rect width="100%" height="100%" fill="#28402c" filter="url(#a)"/>
    <ellipse cx="325" cy="235" rx="177" ry="144" transform="rotate(8 325 235)" fill="#c8823c" filter="url(#b)"/></svg>`;
  return sharp(Buffer.from(svg)).flatten();
}

/** The same image for viewers that follow EXIF orientation. */
async function rotatedScene(): Promise<Buffer> {
  const lying = await scene().rotate(-90).png().toBuffer();
  return sharp(lying).withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer();
}

/** Opaque on the left, and increasingly transparent to the right. */
function opacityGradient(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>
    <linearGradient id="g"><stop offset="0.4" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const addressOf = (name: string) => `${harness.url}api/image/${images.image(name)}`;
const alone = () => `${harness.url}assets/plain.jpg`;

/** Asks a new DEXTR instance, or with `again` that of the previous call. */
function ask(asked: Asked, { again = false } = {}): Promise<Answered> {
  return page.evaluate(
    async ({ asked, again, points }) => {
      const { address, id = 0, choice, size, padding = 50 } = asked;
      const kept = window as Window & { kept?: ReturnType<typeof window.dextrPage.startDextr> };
      if (!again || !kept.kept) {
        kept.kept?.close();
        kept.kept = window.dextrPage.startDextr({ size });
      }
      const dextr = kept.kept;
      if (choice) dextr.choose(choice);
      const started = performance.now();
      const request = { points, more: [], padding, threshold: 80 };
      const { rings } = await dextr.predict({ id, address }, request, new AbortController().signal);
      return { rings, status: dextr.status.getState(), ms: performance.now() - started };
    },
    { asked, again, points: POINTS },
  );
}

const cachedFiles = () =>
  page.evaluate(async () => (await (await caches.open("models")).keys()).map(({ url }) => new URL(url).pathname));
const assetsLike = (end: RegExp) => readdirSync(join(harness.folder, "assets")).filter((name) => end.test(name));

for (const name of ["plain.jpg", "turned.jpg", "inks.jpg", "wide.jpg", "clear.png"])
  test(`browser and server return the same outline on ${name}`, async () => {
    const id = images.image(name);
    const here = await ask({ address: addressOf(name), id });
    const there = await ask({ address: addressOf(name), id, choice: "server" });
    expect([here.status.runtime, there.status.runtime]).toEqual(["wasm", "server"]);
    expect(here.status.why).toMatch(/^WebAssembly with \d+ threads/);
    expect(here.rings.length).toBeGreaterThan(0);
    expect(overlap(here.rings, there.rings, WIDTH, HEIGHT)).toBeGreaterThanOrEqual(0.99);
  });

test("WebGPU returns the same outline, and a simulated graphics card is used only when chosen", async () => {
  const [address, size] = [alone(), 64];
  const wasm = await ask({ address, size });
  expect(wasm.status.runtime).toBe("wasm");
  const status = () =>
    page.evaluate(() => (window as never as { kept: { status: { getState(): DextrStatus } } }).kept.status.getState());
  await expect.poll(async () => (await status()).why).toMatch(/the graphics card is only simulated/);
  const card = await ask({ address, size, choice: "webgpu" });
  expect(card.status).toMatchObject({ runtime: "webgpu", error: null });
  expect(card.status.why).toMatch(/^WebGPU on .*simulated and slow, as chosen\.$/);
  expect(overlap(wasm.rings, card.rings, WIDTH, HEIGHT)).toBeGreaterThanOrEqual(0.99);
});

test("loads everything from the cache the next time, also offline, and fetches a broken copy again", async () => {
  const address = addressOf("plain.jpg");
  const first = await ask({ address });
  await expect.poll(cachedFiles).toHaveLength(2);
  await context.setOffline(true);
  const offline = await ask({ address });
  await context.setOffline(false);
  expect(offline.rings).toEqual(first.rings);
  expect(offline.status.runtime).toBe("wasm");

  await page.evaluate(async () => {
    const cache = await caches.open("models");
    for (const { url } of await cache.keys()) await cache.put(url, new Response(new Uint8Array(1000)));
  });
  const mended = await ask({ address });
  expect(mended.rings).toEqual(first.rings);
  const sizes = () =>
    page.evaluate(async () => {
      const cache = await caches.open("models");
      const all = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
      return Promise.all(all.map(async (found) => (await found!.arrayBuffer()).byteLength));
    });
  await expect.poll(async () => Math.min(...(await sizes()))).toBeGreaterThan(1_000_000);
});

test("uses the built-in network and shows why when the network file on the server's disk is broken", async () => {
  const [name] = assetsLike(/^dextr-.*\.onnx$/);
  const file = join(harness.folder, "assets", name!);
  const content = readFileSync(file);
  writeFileSync(file, content.subarray(0, 100_000));
  // Clears the browser's own cache of earlier tests.
  const fresh = await page.context().newCDPSession(page);
  await fresh.send("Network.clearBrowserCache");
  try {
    const { status, rings } = await ask({ address: addressOf("plain.jpg"), id: images.image("plain.jpg") });
    expect(status.runtime).toBe("server");
    expect(status.why).toContain("A DEXTR file on the server is damaged.");
    expect(rings.length).toBeGreaterThan(0);
    expect((await cachedFiles()).filter((path) => path.endsWith(".onnx"))).toEqual([]);
  } finally {
    writeFileSync(file, content);
  }
});

test("the server computes when WebAssembly is blocked, and the reason is shown", async () => {
  harness.allowWasm(false);
  try {
    // The worker's scripts are in the browser's own cache with their former headers.
    const fresh = await page.context().newCDPSession(page);
    await fresh.send("Network.clearBrowserCache");
    await page.reload();
    const { status } = await ask({ address: addressOf("plain.jpg"), id: images.image("plain.jpg") });
    expect(status.runtime).toBe("server");
    expect(status.why).toMatch(/WebAssembly: The network cannot be opened/);
  } finally {
    harness.allowWasm(true);
    const fresh = await page.context().newCDPSession(page);
    await fresh.send("Network.clearBrowserCache");
  }
});

test("a killed worker is replaced, the next outline comes from the new one, and one message is shown", async () => {
  const before = await ask({ address: alone() });
  const workers = page.workers().filter((worker) => /dextrWorker-/.test(worker.url()));
  expect(workers.length).toBeGreaterThan(0);
  for (const worker of workers) await worker.evaluate(() => self.close()).catch(() => undefined);
  const after = await ask({ address: alone() }, { again: true });
  expect(after.rings).toEqual(before.rings);
  expect(after.status).toMatchObject({ runtime: "wasm", error: expect.stringContaining("was restarted") });
  const later = await ask({ address: alone() }, { again: true });
  expect(later.status).toMatchObject({ runtime: "wasm", error: null });
});

test("Escape rejects at once, also while loading, and the next outline arrives", async () => {
  const { name, rings } = await page.evaluate(
    async ({ address, points }) => {
      const dextr = window.dextrPage.startDextr();
      const request = { points, more: [], padding: 50, threshold: 80 };
      const aborting = new AbortController();
      const call = dextr.predict({ id: 0, address }, request, aborting.signal);
      aborting.abort();
      const later = new Promise<string>((resolve) => setTimeout(resolve, 0, "still waiting"));
      const name = await Promise.race([call.then(() => "done").catch((error: Error) => error.name), later]);
      const { rings } = await dextr.predict({ id: 0, address }, request, new AbortController().signal);
      dextr.close();
      return { name, rings };
    },
    { address: alone(), points: POINTS },
  );
  expect(name).toBe("AbortError");
  expect(rings.length).toBeGreaterThan(0);
});

test("a new threshold changes the outline without another run, and only the newest of quick changes is computed", async () => {
  const counts = await page.evaluate(
    async ({ address, points }) => {
      const dextr = window.dextrPage.startDextr();
      const request = { points, more: [], padding: 50, threshold: 80 };
      const result = await dextr.predict({ id: 0, address }, request, new AbortController().signal);
      const answers = await Promise.all([10, 20, 30, 80].map((threshold) => result.outline(threshold)));
      dextr.close();
      return { first: result.rings, nulls: answers.map((rings) => rings === null), last: answers.at(-1) };
    },
    { address: alone(), points: POINTS },
  );
  expect(counts.nulls).toEqual([false, true, true, false]);
  expect(counts.last).toEqual(counts.first);
});

test("one thread is used on a page that is not isolated, and nothing is cached", async ({ browser }) => {
  const bare = await browser.newPage();
  await bare.goto(harness.url.replace("127.0.0.1", "limn.test"));
  const { rings, why, isIsolated } = await bare.evaluate(
    async ({ points }) => {
      const dextr = window.dextrPage.startDextr();
      const address = new URL("/assets/plain.jpg", location.href).href;
      const request = { points, more: [], padding: 50, threshold: 80 };
      const { rings } = await dextr.predict({ id: 0, address }, request, new AbortController().signal);
      return { rings, why: dextr.status.getState().why, isIsolated: crossOriginIsolated };
    },
    { points: POINTS },
  );
  await bare.close();
  expect(isIsolated).toBe(false);
  expect(why).toContain("WebAssembly with one thread (more threads need https or localhost)");
  expect(overlap(rings, (await ask({ address: alone() })).rings, WIDTH, HEIGHT)).toBeGreaterThanOrEqual(0.99);
});
