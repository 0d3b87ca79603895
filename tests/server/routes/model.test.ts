import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { log } from "../../../server/base/log";
import { type Dextr, type DextrOptions, makeDextr } from "../../../server/onnx/dextr";
import { sha256Of } from "../../../server/onnx/modelFile";
import { areaOf, mergeRuns, polygonsToRle, type Runs, ringsToRle } from "../../../shared/coco/mask";
import type { Ring } from "../../../shared/entities/shape";
import { openEmbedded, type TestDatabase } from "../../support/databases";
import { type Disc, discBmp, drawDiscs, extremesOf } from "../../support/discs";
import { temporaryFolder } from "../../support/folders";
import { brightness, corrections, slowOnWhite } from "../../support/networks";
import { DEXTR_PATIENCE } from "../../support/patience";
import { startServer, type TestServer, type TestUser } from "../../support/server";
import type { TestClient, TestResponse } from "../../support/testClient";

const [WIDTH, HEIGHT] = [400, 300];
const DISC: Disc = { x: 260, y: 130, radius: 60 };
const ASKED = { points: extremesOf(DISC) };
const SHIPPED = new URL("../../../model/dextr.onnx", import.meta.url);

interface Desk {
  server: TestServer;
  /** Folder of the dataset's images. */
  folder: string;
  dextr: Dextr;
  ann: TestUser;
  datasetId: number;
  add(bytes: Buffer, name?: string): Promise<number>;
  close(): Promise<void>;
}

// These tests provoke errors, which would be logged.
log.level = "silent";
let number = 0;

let database: TestDatabase;
beforeAll(async () => {
  database = await openEmbedded();
});
afterAll(() => database.close());

/** Starts a server with its own network, a dataset owned by Ann, and a function that adds images to it. */
async function openDextrServer(options: DextrOptions, env: Record<string, string> = {}): Promise<Desk> {
  const dextr = makeDextr({ ...DEXTR_PATIENCE, ...options });
  const server = await startServer(database, { env, services: { dextr } });
  const ann = await server.user(`ann${++number}`);
  const folder = `discs ${number}`;
  const datasetId = (await ann.post("dataset/", { name: folder })).body.id;
  return {
    server,
    folder: join(server.env.DATASETS_DIR, folder),
    dextr,
    ann,
    datasetId,
    async add(bytes, name = `${++number}.png`) {
      const body = new FormData();
      body.set("dataset_id", String(datasetId));
      body.set("image", new Blob([new Uint8Array(bytes)]), name);
      const { status, body: id, text } = await ann.request("POST", "image/", { body });
      if (status !== 200) throw new Error(text);
      return id;
    },
    close: () => server.close(),
  };
}

const isAlive = ({ threadId }: Worker) => threadId > 0;

const ask = (client: TestClient, image: number | string, body: object = ASKED): Promise<TestResponse> =>
  client.copy().post(`model/dextr/${image}`, body);

const maskOf = (rings: Ring[]): Runs => polygonsToRle(rings, WIDTH, HEIGHT);
const discMask = ({ x, y, radius }: Disc): Runs =>
  maskOf([
    Array.from(
      { length: 720 },
      (_, i) => (i % 2 === 0 ? x : y) + radius * Math.cos(((i >> 1) - (i % 2) * 90) * RADIAN),
    ),
  ]);
const RADIAN = Math.PI / 180;

/** Returns the intersection over union of two masks. */
function overlap(a: Runs, b: Runs): number {
  return areaOf(mergeRuns([a, b], "intersection")) / areaOf(mergeRuns([a, b], "union"));
}

describe("DEXTR over REST", () => {
  const folder = temporaryFolder();
  const file = join(folder, "brightness.onnx");
  let desk: Desk;
  let ann: TestUser;
  let eve: TestUser;
  let disc: number;
  beforeAll(async () => {
    writeFileSync(file, brightness());
    desk = await openDextrServer({ file });
    ann = desk.ann;
    eve = await desk.server.user("eve");
    disc = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
  });
  afterAll(() => desk.close());

  it("returns the outline as flat lists, under both names", async () => {
    const { status, body } = await ask(ann, disc);
    expect(status).toBe(200);
    expect(body.segmentation).toHaveLength(1);
    expect(body.segmentaiton).toEqual(body.segmentation);
    expect(body.rings).toEqual([body.segmentation]);
    expect(overlap(maskOf(body.segmentation), discMask(DISC))).toBeGreaterThan(0.97);
  });

  it("accepts the points in any order, and returns the same for the same call", async () => {
    const first = await ask(ann, disc);
    const other = await ask(ann, disc, { points: ASKED.points.toReversed(), more: [], padding: 50, threshold: 80 });
    expect(other.body).toEqual(first.body);
  });

  it("splits shapes with holes into flat lists, which together are the same mask", async () => {
    const ring = { ...DISC, hole: 25 };
    const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, [ring]).png().toBuffer());
    const { body } = await ask(ann, id);
    expect(body.rings[0]).toHaveLength(2);
    expect(maskOf(body.segmentation)).toEqual(ringsToRle(body.rings, WIDTH, HEIGHT));
    expect(areaOf(maskOf(body.segmentation))).toBeLessThan(0.9 * areaOf(discMask(DISC)));
  });

  it("uses the threshold, the padding and further points", async () => {
    const soft = await desk.add(
      await drawDiscs(WIDTH, HEIGHT, [{ ...DISC, soft: 30 }])
        .png()
        .toBuffer(),
    );
    const area = async (id: number, more: object) =>
      areaOf(maskOf((await ask(ann, id, { ...ASKED, ...more })).body.segmentation));
    const byThreshold = [
      await area(soft, { threshold: 60 }),
      await area(soft, {}),
      await area(soft, { threshold: 95 }),
    ];
    expect(byThreshold).toEqual([...byThreshold].sort((a, b) => b - a));
    expect(new Set(byThreshold).size).toBe(3);

    // The points are those of a smaller disc: everything beyond the padding does not belong to the object.
    const points = extremesOf({ ...DISC, radius: 40 });
    expect(await area(disc, { points, padding: 0 })).toBeLessThanOrEqual(80 * 80);
    expect(await area(disc, { points, padding: 0 })).toBeLessThan(await area(disc, { points, padding: 6 }));
    const more = [[DISC.x + 50, DISC.y]];
    expect(await area(disc, { points, more, padding: 0 })).toBeGreaterThan(await area(disc, { points, padding: 0 }));
  });

  it("reads images of any type upright", async () => {
    const drawn = () => drawDiscs(WIDTH, HEIGHT, [DISC]);
    const turned = (angle: number, orientation: number) =>
      drawn().rotate(angle).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    const images = {
      "a.jpg": await drawn().jpeg({ quality: 95 }).toBuffer(),
      "3.jpg": await turned(180, 3),
      "6.jpg": await turned(270, 6),
      "8.jpg": await turned(90, 8),
      "a.bmp": discBmp(WIDTH, HEIGHT, [DISC]),
      "a.webp": await drawn().webp({ lossless: true }).toBuffer(),
      "16.png": await drawn().toColourspace("rgb16").png().toBuffer(),
      "grey.tiff": await drawn().greyscale().tiff().toBuffer(),
      "alpha.png": await drawn().ensureAlpha().png().toBuffer(),
    };
    for (const [name, bytes] of Object.entries(images)) {
      const { status, body, text } = await ask(ann, await desk.add(bytes, name));
      expect(status, `${name} ${text}`).toBe(200);
      expect(overlap(maskOf(body.segmentation), discMask(DISC)), name).toBeGreaterThan(0.95);
    }
  });

  it("returns an empty list if nothing is found", async () => {
    const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, []).png().toBuffer());
    const outside = [
      [-90, -50],
      [-80, -60],
      [-70, -50],
      [-80, -40],
    ];
    for (const points of [ASKED.points, outside]) {
      const { status, body } = await ask(ann, id, { points });
      expect([status, body]).toEqual([200, { segmentation: [], segmentaiton: [], rings: [] }]);
    }
  });

  it("accepts points that are unusual but valid", async () => {
    const [x, y] = [DISC.x, DISC.y];
    for (const points of [
      [
        [x, y],
        [x, y],
        [x, y],
        [x, y],
      ],
      [
        [x, 0],
        [x, 299],
        [0, y],
        [399, y],
      ],
      [
        [-1e7, y],
        [1e7, y],
        [x, -1e7],
        [x, 1e7],
      ],
      [
        [0.25, 1e-300],
        [399.75, y],
        [x, 299.999],
        [x, 0],
      ],
    ])
      expect((await ask(ann, disc, { points })).status, JSON.stringify(points)).toBe(200);
    for (const padding of [0, 0.5, 1000]) expect((await ask(ann, disc, { ...ASKED, padding })).status).toBe(200);
    for (const threshold of [0, 33.3, 100]) expect((await ask(ann, disc, { ...ASKED, threshold })).status).toBe(200);
  });

  it("refuses invalid input with 400 and the reason", async () => {
    const [a, b, c, d] = ASKED.points;
    const bad: object[] = [
      {},
      [],
      { points: null },
      { points: "1,2,3,4" },
      { points: [a, b, c] },
      { points: [a, b, c, d, a] },
      { points: [a, b, c, [1]] },
      { points: [a, b, c, [1, 2, 3]] },
      { points: [a, b, c, ["1", 2]] },
      { points: [a, b, c, [null, 2]] },
      { points: [a, b, c, { x: 1, y: 2 }] },
      { points: [a, b, c, [1e300, 2]] },
      { ...ASKED, more: [[1]] },
      { ...ASKED, more: "none" },
      { ...ASKED, more: Array(17).fill(a) },
      { ...ASKED, added: [[1]] },
      { ...ASKED, added: [[1, 2, 3]] },
      { ...ASKED, added: null },
      { ...ASKED, added: { length: 1 } },
      { ...ASKED, added: Array(101).fill(a) },
      { ...ASKED, removed: [["1", 2]] },
      { ...ASKED, removed: [[1e300, 2]] },
      { ...ASKED, removed: Array(5000).fill(a) },
      { ...ASKED, isbbox: "yes" },
      { ...ASKED, isbbox: null },
      { ...ASKED, padding: -1 },
      { ...ASKED, padding: 1001 },
      { ...ASKED, padding: "50" },
      { ...ASKED, padding: null },
      { ...ASKED, threshold: -0.1 },
      { ...ASKED, threshold: 101 },
      { ...ASKED, threshold: [80] },
    ];
    for (const body of bad) {
      const answer = await ask(ann, disc, body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.body.message).toEqual(expect.any(String));
    }
    expect((await ask(ann, disc, { points: [a] })).body.message).toBe("Invalid points entered");
    const infinite = `{"points":[[1,1],[2,2],[3,3],[1e999,4]]}`;
    const headers = { "Content-Type": "application/json" };
    expect((await ann.request("POST", `model/dextr/${disc}`, { body: infinite, headers })).status).toBe(400);
    const most = { added: Array(100).fill(a), removed: Array(100).fill([1e7, -1e7]), isbbox: true };
    expect((await ask(ann, disc, { ...ASKED, more: Array(16).fill(a), ...most })).status).toBe(200);
  });

  it("DEXTR is for users who see the image; for others it does not exist", async () => {
    expect((await ask(desk.server.visitor(), disc)).status).toBe(401);
    const unknown = await ask(eve, 999_999);
    const invisible = await ask(eve, disc);
    expect([invisible.status, invisible.body]).toEqual([404, unknown.body]);
    expect((await ask(await desk.server.user("root", { admin: true }), disc)).status).toBe(200);
    await ann.post(`dataset/${desk.datasetId}/share`, { users: ["eve"] });
    expect((await ask(eve, disc)).status).toBe(200);
    await ann.post(`dataset/${desk.datasetId}/share`, { users: [] });
    expect((await ask(eve, disc)).status).toBe(404);
    for (const id of ["x", "0", "-1", "1.5", "99999999999", "1.onnx"])
      expect((await ask(ann, id)).status, id).toBe(404);
    const trashed = await desk.add(await drawDiscs(50, 50, []).png().toBuffer());
    await ann.delete(`image/${trashed}`);
    expect((await ask(ann, trashed)).status).toBe(404);
  });

  it("reports what is wrong with the image's file, and processes the next one", async () => {
    const place = (name: string) => join(desk.folder, name);
    const bytes = await drawDiscs(WIDTH, HEIGHT, [{ ...DISC, radius: 30 }])
      .png()
      .toBuffer();
    const gone = await desk.add(bytes, "gone.png");
    rmSync(place("gone.png"));
    const answer = await ask(ann, gone);
    expect([answer.status, answer.body.message]).toEqual([404, "The image's file no longer exists."]);

    const broken = await desk.add(
      await drawDiscs(WIDTH, HEIGHT, [{ ...DISC, radius: 31 }])
        .png()
        .toBuffer(),
      "broken.png",
    );
    writeFileSync(place("broken.png"), randomBytes(2000));
    const resized = await desk.add(
      await drawDiscs(WIDTH, HEIGHT, [{ ...DISC, radius: 32 }])
        .png()
        .toBuffer(),
      "resized.png",
    );
    writeFileSync(place("resized.png"), await drawDiscs(80, 60, []).png().toBuffer());
    for (const id of [broken, resized]) {
      const { status, body } = await ask(ann, id);
      expect(status).toBe(404);
      expect(body.message).toMatch(/^The image cannot be shown: .+\.$/);
    }
    expect((await ask(ann, disc)).status).toBe(200);
  });

  it("names its model in /info and serves it, cacheable forever", async () => {
    const content = readFileSync(file);
    const { dextr } = (await desk.server.visitor().get("info/")).body;
    expect(dextr).toEqual({
      sha256: sha256Of(content),
      bytes: content.length,
      path: `model/dextr/${sha256Of(content)}.onnx`,
      size: null,
    });
    const answer = await ann.fetch("GET", dextr.path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
    const head = await ann.fetch("HEAD", dextr.path);
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
    expect((await desk.server.visitor().get(dextr.path)).status).toBe(401);
    for (const other of ["0".repeat(64), "x", `${dextr.sha256}/..`, "..%2f..%2fpackage"])
      expect((await ann.get(`model/dextr/${other}.onnx`)).status, other).toBe(404);
    expect((await ann.get(`model/dextr/${disc}`)).status).toBe(405);
  });
});

describe("DEXTR's corrections over REST", () => {
  it("reach the network, each kind with its own sign, and are part of what is cached", async () => {
    const file = join(temporaryFolder(), "corrections.onnx");
    writeFileSync(file, corrections());
    const desk = await openDextrServer({ file });
    const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
    const [left, right] = [
      [DISC.x - 30, DISC.y],
      [DISC.x + 30, DISC.y],
    ];
    const found = async (more: object) => {
      const { status, body } = await ask(desk.ann, id, { ...ASKED, threshold: 90, ...more });
      expect(status).toBe(200);
      return body.segmentation.map(([x]: number[]) => (x! < DISC.x ? "left" : "right")).sort();
    };
    expect(await found({})).toEqual([]);
    expect(await found({ added: [left] })).toEqual(["left"]);
    expect(await found({ added: [left, right] })).toEqual(["left", "right"]);
    expect(await found({ added: [left, right], removed: [left] })).toEqual(["right"]);
    expect(await found({ added: [left], isbbox: true })).toEqual(["left"]);
    await desk.close();
  });
});

describe("DEXTR with login disabled", () => {
  it("DEXTR is available to every caller", async () => {
    const file = join(temporaryFolder(), "brightness.onnx");
    writeFileSync(file, brightness());
    const desk = await openDextrServer({ file }, { LOGIN_DISABLED: "true" });
    const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
    expect((await ask(desk.server.visitor(), id)).status).toBe(200);
    await desk.close();
  });
});

describe("DEXTR with the bundled model", () => {
  it("finds a bright disc on dark ground", async () => {
    const desk = await openDextrServer({});
    const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
    const { status, body } = await ask(desk.ann, id);
    expect(status).toBe(200);
    const found = maskOf(body.segmentation);
    expect(areaOf(found)).toBeGreaterThan(0.1 * areaOf(discMask(DISC)));
    expect(areaOf(mergeRuns([found, discMask(DISC)], "intersection"))).toBeGreaterThan(0.9 * areaOf(found));
    expect((await desk.ann.get("info/")).body.dextr.sha256).toBe(sha256Of(readFileSync(SHIPPED)));
    await desk.close();
  });
});

describe("DEXTR under load", () => {
  const folder = temporaryFolder();
  const file = join(folder, "slow.onnx");
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  let desk: Desk;
  let users: TestUser[];
  let disc: number;
  let white: number;
  beforeAll(async () => {
    writeFileSync(file, slowOnWhite(200));
    desk = await openDextrServer({ file });
    users = await Promise.all(Array.from({ length: 10 }, (_, i) => desk.server.user(`user${i}`)));
    await desk.ann.post(`dataset/${desk.datasetId}/share`, { users: users.map(({ username }) => username) });
    disc = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
    white = await desk.add(await drawDiscs(WIDTH, HEIGHT, [], 255).png().toBuffer());
    process.on("worker", note);
    await ask(desk.ann, disc);
    process.off("worker", note);
  });
  afterAll(() => desk.close());

  /** Starts a long call, and resolves when the network has its image. */
  async function occupy(padding: number): Promise<{ answer: Promise<TestResponse> }> {
    const worker = workers.at(-1);
    const started = new Promise<void>((resolve) => {
      const look = (message: object) => {
        if (!("read" in message)) return;
        worker?.off("message", look);
        resolve();
      };
      worker?.on("message", look);
    });
    const answer = ask(desk.ann, white, { ...ASKED, padding });
    await started;
    return { answer };
  }

  it("serves one of ten users, lets four wait, and refuses the others with Retry-After", async () => {
    const answers = await Promise.all(users.map((user, i) => ask(user, white, { ...ASKED, padding: i })));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(429)]).toEqual([5, 5]);
    for (const { status, headers, body } of answers)
      if (status === 429) {
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect(body.message).toEqual(expect.any(String));
      }
    const again = await Promise.all(users.slice(0, 5).map((user) => ask(user, disc)));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it("responds only to the newest waiting call of a user", async () => {
    const { answer } = await occupy(101);
    const [user] = users;
    const calls = await Promise.all([1, 2, 3].map((padding) => ask(user as TestUser, disc, { ...ASKED, padding })));
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await answer).status).toBe(200);
  });

  it("drops a client that disconnects before its turn", async () => {
    const { answer } = await occupy(102);
    const leaving = users.slice(0, 4).map((user) => {
      const abort = new AbortController();
      const url = `${desk.server.url}api/model/dextr/${disc}`;
      const cookie = [...user.cookies].map((pair) => pair.join("=")).join("; ");
      const headers = { ...user.headers, Cookie: cookie, "Content-Type": "application/json" };
      const call = fetch(url, { method: "POST", body: JSON.stringify(ASKED), headers, signal: abort.signal });
      return { abort, call: call.catch((error: Error) => error.name) };
    });
    // Sent in the same way, so that it arrives after them.
    const late = users[4] as TestUser;
    const sent = { body: JSON.stringify(ASKED), headers: { "Content-Type": "application/json" } };
    const askLate = () => late.fetch("POST", `model/dextr/${disc}`, sent);
    await expect.poll(async () => (await askLate()).status).toBe(429);
    for (const { abort } of leaving) abort.abort();
    expect(await Promise.all(leaving.map(({ call }) => call))).toEqual(Array(4).fill("AbortError"));
    const others = users.slice(5, 9).map(async (user) => {
      let last = await ask(user, disc);
      while (last.status === 429) last = await ask(user, disc);
      return last.status;
    });
    expect(await Promise.all(others)).toEqual([200, 200, 200, 200]);
    expect((await answer).status).toBe(200);
  });

  it("continues with a new thread when one is killed, busy or idle", async () => {
    const { answer } = await occupy(103);
    process.on("worker", note);
    void workers.at(-1)?.terminate();
    const { status, headers, body } = await answer;
    expect([status, body.message]).toEqual([503, "DEXTR crashed and is restarting. Please try again."]);
    expect(headers.get("retry-after")).not.toBeNull();
    expect((await ask(desk.ann, disc)).status).toBe(200);
    await workers.at(-1)?.terminate();
    expect((await ask(desk.ann, disc)).status).toBe(200);
    process.off("worker", note);
    expect(workers).toHaveLength(3);
  });
});

/** Measures the network's time for an image on this machine, in milliseconds. */
async function timeOf(file: string, imageFile: Buffer): Promise<number> {
  const desk = await openDextrServer({ file });
  const id = await desk.add(imageFile);
  await desk.dextr.tryOut();
  const start = performance.now();
  expect((await ask(desk.ann, id)).status).toBe(200);
  const time = performance.now() - start;
  await desk.close();
  return time;
}

describe("DEXTR that never finishes", () => {
  it("a run is stopped at the limit, then DEXTR runs again, never twice at once", async () => {
    const file = join(temporaryFolder(), "slower.onnx");
    writeFileSync(file, slowOnWhite(1500));
    const white = await drawDiscs(WIDTH, HEIGHT, [], 255).png().toBuffer();
    const limitMs = (await timeOf(file, white)) / 4;
    const desk = await openDextrServer({ file, limitMs });
    const disc = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
    const long = await desk.add(white);
    const workers: Worker[] = [];
    const others: number[] = [];
    const note = (worker: Worker) => {
      others.push(workers.filter(isAlive).length);
      workers.push(worker);
    };
    process.on("worker", note);
    const stopped = await ask(desk.ann, long);
    expect([stopped.status, stopped.body.message]).toEqual([503, expect.stringContaining("took too long")]);
    await expect.poll(async () => (await ask(desk.ann, disc)).status).toBe(200);
    process.off("worker", note);
    expect(others.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...others)).toBe(0);
    await desk.close();
  });
});

describe("DEXTR with a damaged file", () => {
  it("reports it, and nothing else is affected", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "broken.onnx"), randomBytes(5000));
    for (const file of [join(folder, "broken.onnx"), join(folder, "gone.onnx")]) {
      const desk = await openDextrServer({ file });
      const id = await desk.add(await drawDiscs(WIDTH, HEIGHT, [DISC]).png().toBuffer());
      for (let i = 0; i < 2; i++) {
        const { status, headers, body } = await ask(desk.ann, id);
        expect([status, headers.get("retry-after")]).toEqual([503, null]);
        expect(body.message).toContain("its model cannot be opened");
      }
      expect((await desk.ann.get("health")).status).toBe(200);
      await desk.close();
    }
  });
});
