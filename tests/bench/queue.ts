import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "../../server/db/schema";
import type { NextImage } from "../../shared/api/datasets/queue";
import { seededRandom } from "../support/seededRandom";
import type { Bed } from "./bed";
import { Client } from "./client";
import { type Figure, timed } from "./figures";
import { p99 } from "./latencies";
import { seedImages, vacuum } from "./seed";

const IMAGES = 100_000;
const CATEGORIES = 20;
/** Annotators who ask for an image at the same time. */
const USERS = 10;
/** Images that each of them gets. */
const EACH = 20;
/** Embeddings: their places, and the numbers of each, as many as DEXTR's network gives. */
const [PLACES, NUMBERS] = [500, 64];
const EMBEDDED_AT_ONCE = 2_000;
/** Images that are left at the end. */
const LEFT = 1_000;
const GOAL_MS = 300;

/** Measures how long annotators wait who ask at once for the next image of a large dataset, in each order. */
export async function queue({ kind, server, client, rows }: Bed): Promise<Figure[]> {
  const dataset = await client.send<{ id: number }>("POST", "dataset/", { name: "queue" });
  const categories: number[] = [];
  for (let n = 0; n < CATEGORIES; n++)
    categories.push((await client.send<{ id: number }>("POST", "category/", { name: `kind ${n}` })).id);
  const users = Array.from({ length: USERS }, (_, n) => new Client(server.url, `annotator${n}`));
  for (const [n, user] of users.entries()) await user.register(`annotator${n}`);
  await client.send("POST", `dataset/${dataset.id}/share`, { add: users.map((_, n) => `annotator${n}`) });
  const categoryOf = sql`array[(${categories}::int[])[1 + id % ${CATEGORIES}::int]]`;
  await rows(async ({ db }) => {
    await seedImages(db, dataset.id, IMAGES);
    await updateAll(db, sql`categories = ${categoryOf}`, sql`annotated`);
  });
  const atOnce = (work: (user: Client) => Promise<void>) => Promise.all(users.map(work));
  const figures = [
    await measure("list", "a third with annotations"),
    await measure("smart", "a third with annotations"),
  ];
  await rows(({ db }) => seedEmbeddings(db));
  figures.push(await measure("farthest", "a third with annotations"));
  await rows(({ db }) => updateAll(db, sql`annotated = true, categories = ${categoryOf}`, sql`not annotated`));
  figures.push(await measure("smart", "all with annotations"));
  const first = String(IMAGES - LEFT + 1).padStart(8, "0");
  await rows(({ db }) => updateAll(db, sql`done = true, stage = 'accepted'`, sql`file_name < ${`${first}.jpg`}`));
  for (const order of ["list", "smart", "farthest"])
    figures.push(await measure(order, `${LEFT.toLocaleString("en")} left`));
  return figures;

  async function measure(order: string, state: string): Promise<Figure> {
    await client.send("POST", `dataset/${dataset.id}`, { queue_order: order });
    // The first call of a client checks its password, which takes longer than any other.
    await Promise.all(users.map((user) => user.get("user/")));
    const given: number[] = [];
    const trivial: number[] = [];
    await atOnce(async (user) => {
      for (let n = 0; n < EACH; n++) trivial.push((await timed(() => user.get("user/"))).ms);
    });
    await atOnce(async (user) => {
      const own: number[] = [];
      while (own.length < EACH) {
        const path = `dataset/${dataset.id}/images/next`;
        // The lease before ends, so that each call gives another image.
        const { ms, value } = await timed(() => user.send<NextImage>("POST", path, { except: own }));
        given.push(ms);
        if (value.image_id === null) throw new Error("The queue is empty.");
        own.push(value.image_id);
      }
    });
    const [longest, shortest] = [p99(given), p99(trivial)];
    return {
      what: `Next image of a dataset of ${IMAGES.toLocaleString("en")} images (${state}), ${USERS} annotators at once, order ${order}, ${kind}`,
      ours: `p99 ${Math.round(longest)} ms, median ${Math.round(median(given))} ms of ${given.length}`,
      peer: `p99 ${Math.round(shortest)} ms: the same users load their accounts`,
      ratio: longest / shortest,
      goal: `p99 less than ${GOAL_MS} ms`,
      met: longest < GOAL_MS,
    };
  }
}

/** Gives each image of the only dataset an embedding around one of 500 places, as the task computes it. */
async function seedEmbeddings(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from images order by id`.execute(db);
  const random = seededRandom(1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const places = Array.from({ length: PLACES }, () => Float32Array.from({ length: NUMBERS }, normal));
  for (let from = 0; from < rows.length; from += EMBEDDED_AT_ONCE) {
    const ids = rows.slice(from, from + EMBEDDED_AT_ONCE).map(({ id }) => id);
    const texts = ids.map((id) => {
      const embedding = places[(id * 7919) % PLACES]!.map((value) => value + 0.5 * normal());
      return Buffer.from(embedding.buffer).toString("hex");
    });
    await sql`
      insert into image_embeddings (image_id, dataset_id, hash, network, embedding)
      select i.id, i.dataset_id, i.hash, 'bench', decode(x.text, 'hex')
      from unnest(${ids}::integer[], ${texts}::text[]) as x(id, text) join images i on i.id = x.id`.execute(db);
  }
  await sql`analyze image_embeddings`.execute(db);
}

/** Changes the images of the only dataset, without the server's time limit. */
async function updateAll(db: Kysely<Schema>, set: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`update images set ${set} where ${where}`.execute(trx);
  });
  await vacuum(db, "images");
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
