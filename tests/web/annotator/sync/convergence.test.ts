import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AnnotatorDocument } from "../../../../web/annotator/document/document";
import { openEither, type TestDatabase } from "../../../support/databases";
import { seedDataset, seedImage } from "../../../support/factories";
import { seededRandom } from "../../../support/seededRandom";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { RandomScript } from "./randomScript";
import { pictureOf, RandomTab } from "./randomTab";

/** Runs of each kind; set LIMN_SEEDS to a number for more. */
const SEEDS = Number(process.env.LIMN_SEEDS ?? 1);
const FIRST = Number(process.env.LIMN_FIRST_SEED ?? 1);
const ROUNDS = 25;
const PAUSE_MS = 80;
/** Time until all tabs must show what is stored, in milliseconds: failed calls are repeated after up to 30 seconds. */
const PATIENCE_MS = 120_000;

let database: TestDatabase;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  database = await openEither();
  server = await startServer(database);
  ada = await server.user("ada");
  bob = await server.user("bob");
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const CATEGORIES = [
  {
    name: "cat",
    keypoint_labels: ["nose", "eye", "tail"],
    keypoint_edges: [[1, 2]],
    attributes: [
      { name: "old", type: "flag", choices: [], required: false, default: null, key: "g" },
      { name: "size", type: "choice", choices: ["s", "m", "l"], required: false, default: null, key: "y" },
    ],
  },
  { name: "dog", keypoint_labels: ["nose", "paw"] },
  { name: "cow" },
];

/**
 * Creates an image with six annotations, two of which have keypoints, in categories of its own: other images do not
 * change with it.
 */
async function newImage(): Promise<number> {
  const categories: number[] = [];
  for (const { name, ...more } of CATEGORIES)
    categories.push((await ada.post("category/", { name: `${name} ${randomUUID()}`, ...more })).body.id);
  const datasetId = await seedDataset(server.db, { ownerId: ada.id, members: [bob.id], categories });
  const imageId = await seedImage(server.db, datasetId);
  for (let i = 0; i < 6; i++) {
    const [x, kind] = [60 + i * 90, i % 2];
    const { status } = await ada.post("annotation/", {
      image_id: imageId,
      category_id: categories[kind],
      segmentation: [[x, 100, x + 60, 100, x + 60, 160, x, 160]],
      ...(i < 2 && { keypoints: [x, 110, 2, x + 10, 120, 2] }),
    });
    expect(status).toBe(200);
  }
  return imageId;
}

async function pictureOnServer(imageId: number): Promise<object> {
  const { body } = await ada.get(`annotator/data/${imageId}?shape=rings`);
  return pictureOf(new AnnotatorDocument(body, ada.username));
}

/** Works at random in all tabs at once, then makes the lines good and expects every tab to show what is stored. */
async function work(
  tabs: readonly RandomTab[],
  random: () => number,
  imageId: number,
  scripts: readonly RandomScript[] = [],
): Promise<void> {
  RandomTab.connect(tabs);
  await Promise.all(tabs.map((tab) => tab.open()));
  const log: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    log.push((await Promise.all([...tabs, ...scripts].map((actor) => actor.act()))).join(" | "));
    await wait(random() * PAUSE_MS);
  }
  for (const tab of tabs) tab.calm();
  const showsWhatIsStored = async () => {
    for (const tab of tabs) expect(tab.annotator.isSaved, log.join("\n")).toBe(true);
    const stored = await pictureOnServer(imageId);
    for (const tab of tabs) expect(tab.picture, log.join("\n")).toEqual(stored);
  };
  await vi.waitFor(showsWhatIsStored, { timeout: PATIENCE_MS, interval: 200 });
  for (const tab of tabs) await tab.annotator.close();
}

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST + i);

it.concurrent.each(seeds)("two users on bad lines end with what is stored (seed %i)", async (seed) => {
  const random = seededRandom(seed);
  const imageId = await newImage();
  await work(
    [ada, bob].map((user) => new RandomTab(user, imageId, random)),
    random,
    imageId,
  );
});

it.concurrent.each(seeds)("two tabs of a user on bad lines end with what is stored (seed %i)", async (seed) => {
  const random = seededRandom(seed);
  const imageId = await newImage();
  const journal = randomUUID();
  await work(
    [ada, ada].map((user) => new RandomTab(user, imageId, random, journal)),
    random,
    imageId,
  );
});

it.concurrent.each(seeds)(
  "a tab on a bad line ends with what is stored while a script changes the image (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const imageId = await newImage();
    const tabs = [new RandomTab(ada, imageId, random)];
    await work(tabs, random, imageId, [new RandomScript(bob, imageId, random, tabs)]);
  },
);

it.concurrent.each(seeds)("what a user alone sees on a bad line is what is stored (seed %i)", async (seed) => {
  const random = seededRandom(seed);
  const imageId = await newImage();
  const tab = new RandomTab(ada, imageId, random);
  await tab.open();
  const log: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    log.push(await tab.act());
    await wait(random() * PAUSE_MS);
  }
  const seen = tab.picture;
  tab.calm();
  await vi.waitFor(() => expect(tab.annotator.isSaved).toBe(true), { timeout: PATIENCE_MS, interval: 200 });
  expect(tab.annotator.conflicts, log.join("\n")).toEqual([]);
  expect(withoutServerValues(await pictureOnServer(imageId)), log.join("\n")).toEqual(withoutServerValues(seen));
  await tab.annotator.close();
});

/** Returns a picture without ids and revisions, which the server assigns. */
function withoutServerValues(picture: object): unknown {
  const drop = (key: string, value: unknown) => (["id", "revision"].includes(key) ? undefined : value);
  return JSON.parse(JSON.stringify(picture, drop));
}
