import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Bed } from "./bed";
import { type Figure, perSecond, rate, timed } from "./figures";
import { p99 } from "./latencies";
import { polygon, seedImages, writeCoco } from "./seed";
import { median } from "./sideBySide";

const IMAGES = 5_000;
const ANNOTATIONS = 100_000;
const IDLE_SAVES = 100;
/** Pause between two saves of the other user. */
const THINKING_MS = 20;
/** Stricter than the goal for other work: an import takes minutes, other work takes seconds. */
const IMPORT_GOAL_MS = 150;
const GOAL_MS = 300;

/** Measures another user's saves during one user's long work, for each kind of work. */
export async function meanwhile(bed: Bed): Promise<Figure[]> {
  const { client } = bed;
  const make = (name: string, more = {}) => client.send<{ id: number }>("POST", `dataset/?name=${name}`, more);
  const [long, other] = [(await make("long")).id, (await make("other", { categories: ["thing"] })).id];
  await bed.rows(async ({ db }) => {
    await seedImages(db, long, IMAGES);
    await seedImages(db, other, 1);
  });
  const save = await makeSave(bed, other);
  const figures: Figure[] = [];
  const during = async (what: string, work: () => Promise<unknown>, { count = 0, goal = GOAL_MS } = {}) => {
    const { ms, times } = await timeSavesDuring(save, work);
    const done = count > 0 ? `, ${rate(perSecond(count, ms), "annotations")}` : "";
    figures.push(figure(`${what}, ${bed.kind}`, { times, done, goal }));
  };
  const task = async (method: string, path: string, body?: unknown) => {
    const started = await client.send<{ id?: number; task?: { id: number } }>(method, path, body);
    const id = started.task?.id ?? started.id;
    if (id) await client.finished(id);
  };

  await during("nothing", async () => {
    for (let i = 0; i < IDLE_SAVES; i++) await wait(2 * THINKING_MS);
  });
  const file = join(tmpdir(), `limn-bench-${process.pid}.json`);
  await writeCoco(file, IMAGES, ANNOTATIONS);
  await during(
    `an import of ${ANNOTATIONS.toLocaleString("en")} annotations`,
    async () => {
      const form = new FormData();
      form.append("coco", await openAsBlob(file), "bench.json");
      const started = (await (await client.fetch("POST", `dataset/${long}/coco`, form)).json()) as { id: number };
      await client.finished(started.id);
    },
    { count: ANNOTATIONS, goal: IMPORT_GOAL_MS },
  );
  rmSync(file);
  await during("an export of them", () => task("GET", `dataset/${long}/export`));
  await during("their statistics", () => client.get(`dataset/${long}/stats`));
  await during("marking all images", () => task("POST", `dataset/${long}/images/mark`, { filter: {}, done: true }));
  await during("a backup", () => makeBackup(bed));
  const [{ id = 0 } = {}] = await client.get<{ id: number }[]>(`dataset/${long}/imports`);
  await during("undoing the import", () => task("DELETE", `dataset/${long}/import/${id}`), { count: ANNOTATIONS });
  await during("the deletion of the dataset", async () => {
    await client.send("DELETE", `dataset/${long}`);
    await task("DELETE", `undo/?id=${long}&instance=dataset`);
  });
  return figures;
}

/** Saves repeatedly until the work has ended. Returns the milliseconds of each save, and of the work. */
async function timeSavesDuring(save: () => Promise<void>, work: () => Promise<unknown>) {
  const times: number[] = [];
  let isOver = false;
  const saving = (async () => {
    while (!isOver) {
      times.push((await timed(save)).ms);
      await wait(THINKING_MS);
    }
  })();
  const { ms } = await timed(work).finally(() => {
    isOver = true;
  });
  await saving;
  return { ms, times };
}

function figure(what: string, { times, done, goal }: { times: number[]; done: string; goal: number }): Figure {
  const worst = p99(times);
  return {
    what: `Another user's save during ${what}`,
    ours: `p99 ${worst.toFixed(0)} ms, median ${median(times).toFixed(0)} ms of ${times.length}${done}`,
    peer: "-",
    ratio: null,
    goal: `p99 under ${goal} ms`,
    met: worst < goal,
  };
}

/** Returns a function that moves one outline of one image, like a page while a user draws. */
async function makeSave({ client }: Bed, datasetId: number): Promise<() => Promise<void>> {
  const list = await client.get<{ images: { id: number }[]; categories: { id: number }[] }>(
    `dataset/${datasetId}/data`,
  );
  const subject = { image_id: list.images[0]?.id ?? 0, subject: "annotation", target: randomUUID() };
  let base = 0;
  const look = { category_id: list.categories[0]?.id, color: "#336699", metadata: {}, keypoints: null };
  return async () => {
    const rings = [[polygon(base, 40)]];
    const action = base === 0 ? "create" : "modify";
    const after = { rings, isbbox: false, ...(base === 0 && look) };
    const edit = { ...subject, uuid: randomUUID(), base, action, before: {}, after };
    const { answers } = await client.send<{ answers: { status: string; revision: number }[] }>(
      "POST",
      "annotator/edits",
      { client: "bench-client", edits: [edit] },
    );
    if (answers[0]?.status !== "applied") throw new Error(JSON.stringify(answers));
    base = answers[0].revision;
  };
}

/** Makes a backup on the operator's request, written by the server. */
async function makeBackup({ server, env }: Bed): Promise<void> {
  await promisify(execFile)(process.execPath, ["--enable-source-maps", "dist/server/cli/backup.js"], {
    env: { PATH: process.env.PATH, ...env, DATA_DIR: server.dataDir },
  });
}
