import { sql } from "kysely";
import type { NextImage } from "../../shared/api/datasets/queue";
import type { Bed } from "./bed";
import { Client } from "./client";
import { type Figure, timed } from "./figures";
import { p99 } from "./latencies";
import { seedImages } from "./seed";

const IMAGES = 100_000;
const CATEGORIES = 20;
/** Annotators who ask for an image at the same time. */
const USERS = 10;
/** Images that each of them gets. */
const EACH = 20;
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
  await rows(async ({ db }) => {
    await seedImages(db, dataset.id, IMAGES);
    await sql`
      update images set categories = array[(${categories}::int[])[1 + id % ${CATEGORIES}::int]]
      where dataset_id = ${dataset.id}::int and annotated`.execute(db);
  });
  const figures: Figure[] = [];
  for (const order of ["list", "smart"]) {
    await client.send("POST", `dataset/${dataset.id}`, { queue_order: order });
    const times: number[] = [];
    await Promise.all(
      users.map(async (user) => {
        const own: number[] = [];
        while (own.length < EACH) {
          const path = `dataset/${dataset.id}/images/next`;
          // The lease before ends, so that each call gives another image.
          const { ms, value } = await timed(() => user.send<NextImage>("POST", path, { except: own }));
          times.push(ms);
          if (value.image_id === null) throw new Error("The queue is empty.");
          own.push(value.image_id);
        }
      }),
    );
    const longest = p99(times);
    figures.push({
      what: `Next image of a dataset of ${IMAGES.toLocaleString("en")} images, ${USERS} annotators at once, order ${order}, ${kind}`,
      ours: `p99 ${Math.round(longest)} ms of ${times.length}`,
      peer: "-",
      ratio: null,
      goal: `p99 less than ${GOAL_MS} ms`,
      met: longest < GOAL_MS,
    });
  }
  return figures;
}
