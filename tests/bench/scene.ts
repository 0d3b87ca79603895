import { type Kysely, sql } from "kysely";
import type { Schema } from "../../server/db/schema";
import type { Bed } from "./bed";
import { cpuOfChildren, cpuOfMainThread, cpuOfProcess } from "./cpuTime";
import { type Figure, timed } from "./figures";
import { polygon, seedImages } from "./seed";
import { median } from "./sideBySide";

const ANNOTATIONS = 300;
const IMAGES = 20;
const CATEGORIES = 5;
const REQUESTS = 100;
const ROUNDS = 3;
/** Milliseconds of Node's CPU on a quiet machine: a third of the cost before shapes were passed as text. */
const GOAL_MS = 3;

interface Cost {
  /** CPU milliseconds per request: of the responding thread, and of the database. */
  node: number;
  database: number;
  wall: number;
}

/**
 * Measures the annotator's scene of an image with 300 outlines, as requested by a browser: for the first time, and with
 * a cached scene.
 */
export async function scene(bed: Bed): Promise<Figure[]> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=scene", {});
  await bed.rows(async ({ db }) => {
    await seedImages(db, dataset.id, IMAGES);
    await seedOutlines(db);
  });
  const cookie = await logIn(bed);
  const get = async (image: number, headers: Record<string, string> = {}) => {
    const address = `${bed.server.url}api/annotator/data/${image}?shape=rings`;
    const response = await fetch(address, { headers: { cookie, ...headers } });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${response.status} ${text}`);
    return { tag: response.headers.get("etag") ?? "", status: response.status, length: text.length };
  };
  const tags = new Map<number, string>();
  const whole = await measureCost(bed, async (image) => void tags.set(image, (await get(image)).tag));
  const again = await measureCost(
    bed,
    async (image) => void (await get(image, { "If-None-Match": tags.get(image) ?? "" })),
  );
  return [
    figure(
      `Annotator's scene of ${ANNOTATIONS} outlines, ${bed.kind}`,
      whole,
      `at most ${GOAL_MS} ms of Node`,
      GOAL_MS,
    ),
    figure(`The same where the browser has it already, ${bed.kind}`, again, `at most ${GOAL_MS / 2} ms`, GOAL_MS / 2),
  ];
}

function figure(what: string, { node, database, wall }: Cost, goal: string, most: number): Figure {
  const ours = `${node.toFixed(2)} ms CPU of Node, ${database.toFixed(2)} ms of the database, ${wall.toFixed(1)} ms in all`;
  return { what, ours, peer: "-", ratio: null, goal, met: node <= most };
}

/** Returns medians of rounds, one request after another, for each image in turn. */
async function measureCost(bed: Bed, ask: (image: number) => Promise<void>): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const before = cpu(bed);
    const { ms } = await timed(async () => {
      for (let i = 0; i < REQUESTS; i++) await ask(1 + (i % IMAGES));
    });
    const after = cpu(bed);
    const each = (total: number) => total / REQUESTS;
    const cost = {
      node: each(after.node - before.node),
      database: each(after.database - before.database),
      wall: each(ms),
    };
    if (round >= 0) costs.push(cost);
  }
  const middle = (part: (cost: Cost) => number) => median(costs.map(part));
  return { node: middle((c) => c.node), database: middle((c) => c.database), wall: middle((c) => c.wall) };
}

/** The embedded database runs in other threads of the same process. */
function cpu({ server, databasePid }: Bed): { node: number; database: number } {
  const node = cpuOfMainThread(server.pid);
  if (databasePid !== undefined) return { node, database: cpuOfChildren(databasePid) };
  return { node, database: cpuOfProcess(server.pid) - node };
}

/** Inserts outlines of 8 to 72 points, a third of them drawn in Limn, the others imported. */
async function seedOutlines(db: Kysely<Schema>): Promise<void> {
  await sql`insert into categories (name, color)
    select 'scene ' || n, '#336699' from generate_series(1, ${CATEGORIES}::int) n`.execute(db);
  const categories = (await db.selectFrom("categories").select("id").execute()).map(({ id }) => id);
  const images = (await db.selectFrom("images").select("id").orderBy("id").execute()).map(({ id }) => id);
  for (const image_id of images) {
    const rows = Array.from({ length: ANNOTATIONS }, (_, i) => {
      const ring = polygon(image_id * 1000 + i, 8 + ((i * 7) % 65));
      return {
        image_id,
        category_id: categories[i % categories.length] ?? 0,
        shape: JSON.stringify(i % 3 === 0 ? { rings: [[ring]] } : [ring]),
        area: 1000.5 + i,
        bbox: "[10.5,10,100.25,100]",
        color: "#336699",
        metadata: i % 10 === 0 ? '{"occluded":true,"note":"half hidden"}' : "{}",
        creator_name: "bench",
      };
    });
    await db.insertInto("annotations").values(rows).execute();
  }
}

async function logIn({ server }: Bed): Promise<string> {
  const response = await fetch(`${server.url}api/user/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "bench" },
    body: JSON.stringify({ username: "bench", password: "bench-password" }),
  });
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
