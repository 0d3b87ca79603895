import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Kysely } from "kysely";
import { openWithoutMigrating } from "../../server/db/open/database";
import type { Schema } from "../../server/db/schema";

const counts = new Map<string, number>();

/**
 * Writes what the stopped server of a browser test has stored to `<folder>/<spec>-<n>.json`, where n counts the spec's
 * servers. Two runs of the same spec write the same, however fast the network was: numbers, uuids, times and colours,
 * which depend on chance or the order of requests, are omitted. LIMN_STATE_SPECS names the specs to record, all by
 * default.
 */
export async function recordState(folder: string, env: Parameters<typeof openWithoutMigrating>[0]): Promise<void> {
  const { test } = await import("@playwright/test");
  const spec = basename(test.info().file, ".spec.ts");
  const wanted = process.env.LIMN_STATE_SPECS;
  if (wanted && !wanted.split(",").includes(spec)) return;
  const count = (counts.get(spec) ?? 0) + 1;
  counts.set(spec, count);
  const database = await openWithoutMigrating(env, "the browser tests");
  const state = await readState(database.db).finally(() => database.close());
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${spec}-${count}.json`), JSON.stringify(state, null, 1));
}

/** Returns sorted lists of lines: one line for each user, dataset, category, image and annotation. */
async function readState(db: Kysely<Schema>) {
  const users = await db.selectFrom("users").select(["username", "name", "is_admin", "closed_at"]).execute();
  const members = db
    .selectFrom("dataset_members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .innerJoin("datasets as d", "d.id", "m.dataset_id")
    .select(["d.name", "u.username"]);
  const datasets = db
    .selectFrom("datasets as d")
    .leftJoin("users as u", "u.id", "d.owner_id")
    .select(["d.name", "d.folder", "u.username as owner", "d.default_annotation_metadata", "d.deleted_at"]);
  const uses = db
    .selectFrom("dataset_categories as u")
    .innerJoin("datasets as d", "d.id", "u.dataset_id")
    .innerJoin("categories as c", "c.id", "u.category_id")
    .select(["d.name as dataset", "c.name as category"]);
  const categories = db
    .selectFrom("categories")
    .select(["name", "supercategory", "metadata", "keypoints", "creator_name", "deleted_at"]);
  const images = db
    .selectFrom("images as i")
    .innerJoin("datasets as d", "d.id", "i.dataset_id")
    .select(["d.name", "i.path", "i.width", "i.height", "i.metadata", "i.done", "i.num_annotations", "i.deleted_at"])
    .select(({ selectFrom }) =>
      selectFrom("categories as c")
        .whereRef("c.id", "=", (eb) => eb.fn.any("i.labels"))
        .select((eb) => eb.fn.agg<string[]>("array_agg", ["c.name"]).orderBy("c.name").as("labels"))
        .as("labels"),
    );
  const annotations = db
    .selectFrom("annotations as a")
    .innerJoin("images as i", "i.id", "a.image_id")
    .innerJoin("datasets as d", "d.id", "i.dataset_id")
    .innerJoin("categories as c", "c.id", "a.category_id")
    .select(["d.name", "i.path", "c.name as category", "a.shape", "a.area", "a.bbox", "a.iscrowd", "a.isbbox"])
    .select(["a.keypoints", "a.metadata", "a.creator_name", "a.visible", "a.deleted_at"]);
  return {
    users: linesOf(users),
    members: linesOf(await members.execute()),
    datasets: linesOf(await datasets.execute()),
    uses: linesOf(await uses.execute()),
    categories: linesOf(await categories.execute()),
    images: linesOf(await images.execute()),
    annotations: linesOf(await annotations.execute()),
  };
}

/** Times become true, so that only deleted or not is compared. */
function linesOf(rows: object[]): string[] {
  return rows.map((row) => JSON.stringify(row, (_, value) => (isTime(value) ? true : value))).sort();
}

const isTime = (value: unknown): boolean => typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
