import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AnnotatorDocument } from "../../../../web/annotator/document/document";
import { openEither, type TestDatabase } from "../../../support/databases";
import { seedDataset, seedImage } from "../../../support/factories";
import { seededRandom } from "../../../support/seededRandom";
import { startServer, type TestServer, type TestUser } from "../../../support/server";
import { Line, OnlineAnnotator } from "./onlineAnnotator";

/** Runs of each kind; set LIMN_SEEDS to a number for more. */
const SEEDS = Number(process.env.LIMN_SEEDS ?? 3);
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

/** A user's tab, which opens images, and does at random what users do. */
class Tab {
  annotator!: OnlineAnnotator;
  private readonly line: Line;
  private readonly others: Tab[] = [];

  constructor(
    private readonly user: TestUser,
    private readonly imageId: number,
    private readonly random: () => number,
    private readonly journal: string = randomUUID(),
  ) {
    this.line = new Line(random);
  }

  /** Makes each of the tabs hear of what the others store. */
  static connect(tabs: readonly Tab[]): void {
    for (const tab of tabs) tab.others.push(...tabs.filter((other) => other !== tab));
  }

  async open(): Promise<void> {
    const { user, imageId, journal, line } = this;
    const onStored = () => {
      for (const other of this.others) void other.hear();
    };
    this.annotator = await OnlineAnnotator.open({ user, imageId, journal, line, onStored });
  }

  /** Makes the line good. */
  calm(): void {
    this.line.isBad = false;
    this.annotator.wake();
  }

  async act(): Promise<string> {
    const { test } = this.annotator;
    const { editor } = test;
    const { random } = this;
    const some = test.annotations.filter(() => random() < 0.4).map(({ uuid }) => uuid);
    const select = (most: number) => editor.selecting.select(some.slice(0, most));
    const commands: Record<string, () => unknown> = {
      category: () => {
        select(6);
        test.press(String(1 + Math.floor(random() * 3)));
      },
      delete: () => {
        select(2);
        test.press("delete");
      },
      merge: () => {
        select(2);
        test.press("m");
      },
      attribute: () => {
        select(6);
        test.press(random() < 0.5 ? "g" : "y");
      },
      undo: () => test.press("control", "z"),
      "undo twice": () => test.press("control", "z").press("control", "z"),
      redo: () => test.press("control", "shift", "z"),
      nudge: () => {
        select(3);
        test.press("alt", "arrowdown");
      },
      keypoint: () => this.changeKeypoint(),
      done: () => test.press("shift", "d"),
      draw: () => {
        const [x, y] = [random() * 500, random() * 300];
        test.choose("BBox").drag([x, y], [x + 20 + random() * 80, y + 20 + random() * 80]);
        test.choose("Select");
      },
      rename: () => some[0] && editor.commands.rename(some[0], `name ${Math.floor(random() * 3)}`),
      tick: () => editor.labels.toggle(this.someCategory().id),
      colour: () => {
        const { id, permissions } = this.someCategory();
        const color = random() < 0.5 ? "#aa0000" : "#00aa00";
        if (permissions.edit) editor.commands.changeCategory(id, { color });
      },
      comment: () => this.comment(),
      wake: () => this.annotator.wake(),
      reopen: async () => {
        await this.annotator.close();
        await this.open();
      },
    };
    const [name, command] = Object.entries(commands)[Math.floor(random() * Object.keys(commands).length)]!;
    await command();
    return name;
  }

  get picture(): object {
    return pictureOf(this.annotator.test.editor.document);
  }

  private someCategory() {
    const { categories } = this.annotator.test.editor.document.state;
    return categories[Math.floor(this.random() * categories.length)]!;
  }

  /** Begins a thread, or replies to one, resolves it or deletes a comment of the user. */
  private comment(): void {
    const { random, user } = this;
    const { comments, document } = this.annotator.test.editor;
    const threads = comments.threads();
    const thread = threads[Math.floor(random() * threads.length)]?.first;
    const own = [...document.state.comments.values()].find((each) => each.creator === user.username && !each.deleted);
    const kind = random();
    if (!thread || kind < 0.3) {
      comments.placeAt({ x: random() * 600, y: random() * 400 });
      comments.begin(`begun by ${user.username}`);
    } else if (kind < 0.6) comments.reply(thread.uuid, `reply of ${user.username}`);
    else if (kind < 0.8) comments.resolve(thread.uuid, !thread.resolved);
    else if (own && kind < 0.9) comments.rewrite(own.uuid, `rewritten ${random()}`);
    else if (own) comments.delete(own);
  }

  private changeKeypoint(): void {
    const { random } = this;
    const { test } = this.annotator;
    const withPoints = test.annotations.filter(({ keypoints }) => keypoints?.length);
    const annotation = withPoints[Math.floor(random() * withPoints.length)];
    const point = annotation?.keypoints?.[Math.floor(random() * annotation.keypoints.length)];
    if (!annotation || !point) return;
    test.editor.selecting.select([annotation.uuid]);
    if (random() < 0.3) test.editor.keypoints.delete(point.label);
    else test.editor.keypoints.move(point.label, { x: 50 + random() * 500, y: 50 + random() * 300 });
  }

  /** Receives the news, sooner or later, that another tab has changed the image. */
  private async hear(): Promise<void> {
    await this.line.delay();
    this.annotator.updates.catchUp();
  }
}

/**
 * Returns what a document shows, in an order that does not depend on the way there, without the measures that only the
 * server computes, the creator, whom a page does not know of an annotation that it restored before it was opened, the
 * times of comments, and annotations that are still empty, which stay on the page.
 */
function pictureOf({ state }: AnnotatorDocument): object {
  const { image } = state;
  const drawn = [...state.annotations.values()].filter(
    ({ rings, rle, keypoints, isbbox }) => rings?.length || rle || keypoints?.length || isbbox,
  );
  const annotations = drawn.map(({ area, bbox, creator, ...annotation }) => ({
    ...annotation,
    rings: annotation.rings ?? [],
    keypoints: annotation.keypoints?.length ? annotation.keypoints : null,
  }));
  return {
    image: { stage: image.stage, done: image.done, labels: image.labels.toSorted(), metadata: image.metadata },
    categories: state.categories.toSorted((a, b) => a.id - b.id).map(({ permissions, ...category }) => category),
    comments: [...state.comments.values()]
      .filter(({ deleted }) => !deleted)
      .map(({ uuid, text, thread, resolved, creator, annotation }) => ({
        ...{ uuid, text, thread, resolved, creator, annotation },
      }))
      .toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    annotations: Object.fromEntries(
      annotations.map((annotation): [string, object] => [annotation.uuid, annotation]).toSorted(),
    ),
  };
}

async function pictureOnServer(imageId: number): Promise<object> {
  const { body } = await ada.get(`annotator/data/${imageId}?shape=rings`);
  return pictureOf(new AnnotatorDocument(body, ada.username));
}

/** Works at random in all tabs at once, then makes the lines good and expects every tab to show what is stored. */
async function work(tabs: readonly Tab[], random: () => number, imageId: number): Promise<void> {
  Tab.connect(tabs);
  await Promise.all(tabs.map((tab) => tab.open()));
  const log: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    log.push((await Promise.all(tabs.map((tab) => tab.act()))).join(" | "));
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

it.concurrent.each(seeds)(
  "two users on bad lines end with what is stored (seed %i)",
  { timeout: 180_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const imageId = await newImage();
    await work(
      [ada, bob].map((user) => new Tab(user, imageId, random)),
      random,
      imageId,
    );
  },
);

it.concurrent.each(seeds)(
  "two tabs of a user on bad lines end with what is stored (seed %i)",
  { timeout: 180_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const imageId = await newImage();
    const journal = randomUUID();
    await work(
      [ada, ada].map((user) => new Tab(user, imageId, random, journal)),
      random,
      imageId,
    );
  },
);

it.concurrent.each(seeds)(
  "what a user alone sees on a bad line is what is stored (seed %i)",
  { timeout: 180_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const imageId = await newImage();
    const tab = new Tab(ada, imageId, random);
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
  },
);

/** Returns a picture without ids and revisions, which the server assigns. */
function withoutServerValues(picture: object): unknown {
  const drop = (key: string, value: unknown) => (["id", "revision"].includes(key) ? undefined : value);
  return JSON.parse(JSON.stringify(picture, drop));
}
