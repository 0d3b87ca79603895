import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import type { Annotation } from "../../shared/entities/annotation";
import { Desk, recordProblems } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { operatorCommand } from "../support/operatorCommand";
import { loadPhotographs } from "../support/photographs";
import { specFolder } from "../support/specFolder";

/**
 * Photographs taken along, annotated with every tool in two tabs without a server, while another user changes some of
 * them. LIMN_WHOLE_TEAM=1 takes 128 photographs, of which 40 are annotated here and 20 there.
 */
test.describe.configure({ mode: "serial" });

const IS_WHOLE = process.env.LIMN_WHOLE_TEAM === "1";
const [IMAGES, MINE, THEIRS] = IS_WHOLE ? [128, 40, 20] : [12, 10, 6];
/** Number of images on which both users change the same annotation. */
const CONFLICTS = 2;
const TOOLS = ["box", "polygon", "wand", "dextr", "labels"] as const;
/** DEXTR loads eighteen megabytes and starts WebAssembly, on a busy machine. */
const FIRST_MS = 90_000;

interface Photograph {
  id: number;
  file: string;
  width: number;
  height: number;
  /** The annotation that the image had before. */
  first: Annotation;
}

const folder = specFolder();
const problems: string[] = [];
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let datasetId: number;
let photographs: Photograph[];
/** Uuids of the other user's annotations, by image id. */
const theirs = new Map<number, string>();

/** Starts the browser with its profile, as users do. */
async function startBrowser(): Promise<void> {
  const { launchOptions, viewport } = test.info().project.use;
  const options = { ...launchOptions, viewport: viewport ?? null, serviceWorkers: "allow" as const };
  context = await chromium.launchPersistentContext(join(folder, "profile"), options);
  page = context.pages()[0] ?? (await context.newPage());
  recordProblems(page, problems);
  desk = new Desk(page, server.url);
}

const toolOf = (index: number) => TOOLS[index % TOOLS.length]!;

/** Creates the dataset, with a box in the middle of each photograph. */
async function createDataset(): Promise<void> {
  const { files } = await loadPhotographs(folder);
  const entries = Array.from({ length: IMAGES }, (_, i) => {
    const file = files[i % files.length]!;
    return [`${String(i).padStart(3, "0")}-${basename(file)}`, readFileSync(file)] as const;
  });
  const { id, image } = await desk.dataset("Harbour", ["boat", "gull"], Object.fromEntries(entries));
  datasetId = id;
  const [boat] = await desk.api<{ id: number }[]>("GET", "category/");
  photographs = [];
  for (const [file, bytes] of entries) {
    const { width, height } = await sharp(bytes).metadata();
    const bbox = [0.4 * width, 0.4 * height, 0.2 * width, 0.2 * height].map(Math.round);
    const input = { image_id: image(file), category_id: boat?.id, isbbox: true, segmentation: [ringOf(bbox)] };
    await desk.api("POST", "annotation/", input);
    const [first] = await desk.annotations(image(file));
    photographs.push({ id: image(file), file, width, height, first: first! });
  }
}

const ringOf = ([x = 0, y = 0, w = 0, h = 0]: number[]) => [x, y, x + w, y, x + w, y + h, x, y + h];

async function annotate(on: Page, { width, height }: Photograph, index: number): Promise<void> {
  const at = await fitOn(on, width, height);
  const click = async (x: number, y: number) => {
    await on.mouse.move(at(x, y).x, at(x, y).y, { steps: 2 });
    await on.mouse.click(at(x, y).x, at(x, y).y);
  };
  // The image in conflict loses its first annotation here.
  if (index < CONFLICTS) {
    await on.keyboard.press("s");
    await click(0.5, 0.5);
    await on.keyboard.press("Delete");
  }
  const tool = toolOf(index);
  if (tool === "box") {
    await on.keyboard.press("r");
    await new Desk(on, server.url).drag([at(0.1, 0.1), at(0.3, 0.3)]);
  } else if (tool === "polygon") {
    await on.keyboard.press("v");
    for (const [x, y] of [
      [0.1, 0.1],
      [0.3, 0.12],
      [0.25, 0.3],
    ] as const)
      await click(x, y);
    await on.keyboard.press("Enter");
  } else if (tool === "wand") {
    await on.keyboard.press("w");
    await click(0.15, 0.15);
  } else if (tool === "dextr") {
    await on.keyboard.press("d");
    for (const [x, y] of [
      [0.2, 0.1],
      [0.1, 0.2],
      [0.2, 0.3],
      [0.3, 0.2],
    ] as const)
      await click(x, y);
    const options = on.getByRole("region", { name: "DEXTR options" });
    await expect(options.getByRole("status").last()).toContainText(/^Found in/, { timeout: FIRST_MS });
  } else {
    await on.getByRole("button", { name: "Mode: segment" }).click();
    await on.getByRole("checkbox", { name: "gull" }).click();
    await on.getByRole("button", { name: "Mode: label" }).click();
  }
  await expect(on.locator('[data-save-state="offline"], [data-save-state="saved here"]')).toBeVisible();
}

/** Returns the screen coordinates of points given as fractions of the image's sides. */
async function fitOn(on: Page, width: number, height: number) {
  const { at } = await new Desk(on, server.url).fit(width, height);
  return (x: number, y: number) => at(x * width, y * height);
}

/** Annotates images one after the other, by the list. `from` and `to` are indices. */
async function annotateAll(on: Page, from: number, to: number): Promise<void> {
  await new Desk(on, server.url).open(photographs[from]!.id, "?order=file_name");
  for (let i = from; i < to; i++) {
    const { file } = photographs[i]!;
    await expect(on.getByRole("application", { name: `Image ${file}` })).toBeVisible();
    await annotate(on, photographs[i]!, i);
    // A reload in the middle, after a box: the browser would ask while a shape is being computed.
    if (i === from + TOOLS.length * Math.floor((to - from) / 2 / TOOLS.length)) await on.reload();
    if (i + 1 < to) await on.getByRole("button", { name: "Next Image", exact: true }).click();
  }
}

test.beforeAll(async () => {
  server = await startLiveServer({}, { isEmbedded: true });
  await startBrowser();
  await desk.register("ada");
  await createDataset();
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("photographs are made available", async () => {
  await page.goto(`${server.url}dataset/${datasetId}`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make available" }).click();
  await expect(dialog.getByText("Available offline", { exact: true })).toBeVisible();
});

test("they are annotated with every tool in two tabs, after a restart of the browser without a server", async () => {
  test.setTimeout(IS_WHOLE ? 600_000 : 180_000);
  await server.stop();
  await context.close();
  await startBrowser();
  const other = await context.newPage();
  recordProblems(other, problems);
  const half = MINE / 2;
  await page.bringToFront();
  await annotateAll(page, 0, half);
  await other.bringToFront();
  await annotateAll(other, half, MINE);
  await other.close();
});

test("meanwhile another user changes some of the photographs", async ({ playwright }) => {
  // The browser stays without a network, while the server serves the other user.
  await context.setOffline(true);
  await server.start();
  const headers = { "X-Requested-With": "fetch" };
  const bob = await playwright.request.newContext({ baseURL: `${server.url}api/`, extraHTTPHeaders: headers });
  await bob.post("user/login", { data: { username: "ada", password: "correct horse" } });
  await bob.post("user/register", { data: { username: "bob", password: "correct horse" } });
  await bob.post("user/login", { data: { username: "ada", password: "correct horse" } });
  expect((await bob.post(`dataset/${datasetId}/share`, { data: { users: ["bob"] } })).ok()).toBe(true);
  await bob.post("user/login", { data: { username: "bob", password: "correct horse" } });
  for (const [i, { id, width, height, first }] of photographs.slice(0, THEIRS).entries()) {
    const segmentation = [ringOf([0.7 * width, 0.7 * height, 0.1 * width, 0.1 * height])];
    const made = await bob.post("annotation/", {
      data: { image_id: id, category_id: first.category_id, segmentation },
    });
    expect(made.ok()).toBe(true);
    theirs.set(id, ((await made.json()) as { uuid: string }).uuid);
    if (i >= CONFLICTS) continue;
    const moved = { segmentation: [ringOf([0.3 * width, 0.3 * height, 0.3 * width, 0.3 * height])] };
    expect((await bob.put(`annotation/${first.id}`, { data: moved })).ok()).toBe(true);
  }
  await bob.dispose();
});

test("when the network is back, the edits of both users are there, and conflicts wait for a choice", async () => {
  await context.setOffline(false);
  await page.goto(`${server.url}conflicts`);
  const list = page.getByRole("listbox", { name: "Annotations in conflict" });
  await expect(list.getByRole("option")).toHaveCount(CONFLICTS);
  await page.screenshot({ path: join(folder, "conflicts.png") });
  for (const [i, { id, first }] of photographs.entries()) {
    const all = await desk.annotations(id);
    const own = all.filter(({ uuid }) => uuid !== first.uuid && uuid !== theirs.get(id));
    const isDrawn = i < MINE && toolOf(i) !== "labels";
    expect(
      own.map(({ creator }) => creator),
      `drawn on image ${i}`,
    ).toEqual(isDrawn ? ["ada"] : []);
    for (const { rings } of own) expect(rings, `shape on image ${i}`).not.toEqual([]);
    if (theirs.has(id)) expect(all.map(({ uuid }) => uuid)).toContain(theirs.get(id));
    // Another user moved it, so it is not deleted before the choice.
    expect(all.map(({ uuid }) => uuid)).toContain(first.uuid);
    const { image } = await desk.scene(id);
    expect(image.labels, `labels of image ${i}`).toHaveLength(i < MINE && toolOf(i) === "labels" ? 1 : 0);
  }
});

test("conflicts are decided: one as mine in another tab, the others as theirs", async () => {
  const listOf = (tab: Page) => tab.getByRole("listbox", { name: "Annotations in conflict" });
  const list = listOf(page);
  const selected = list.getByRole("option", { selected: true });
  const tab = await context.newPage();
  await tab.goto(`${server.url}conflicts`);
  await expect(listOf(tab).getByRole("option")).toHaveCount(CONFLICTS);
  await listOf(tab).press("m");
  await expect(list.getByRole("option")).toHaveCount(CONFLICTS - 1);
  await expect(page.getByText("The selected conflict was decided in another tab.")).toBeVisible();
  await list.press("m");
  await expect(selected).toHaveCount(0);
  await list.press("ArrowDown");
  await expect(selected).toHaveCount(1);
  await tab.close();
  await page.getByRole("button", { name: "Keep all theirs" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep all theirs" }).click();
  await expect(page.getByText("No conflicts")).toBeVisible();
  const has = async ({ id, first }: Photograph) => (await desk.annotations(id)).some(({ uuid }) => uuid === first.uuid);
  await expect.poll(async () => Promise.all(photographs.slice(0, CONFLICTS).map(has))).toEqual([false, true]);
  // The browser logs every request to the stopped server.
  expect(problems.filter((each) => !/ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED)/.test(each))).toEqual([]);
});

test("afterwards the doctor finds no problem in the database and the files", async () => {
  await server.stop();
  expect(await operatorCommand("doctor", server.dataDir, "--read-all")).toContain("No problems found.");
});
