import { type Kysely, sql } from "kysely";
import type { Schema } from "../../../db/schema";
import { withoutExtension } from "../../../files/paths/safePath";
import type { Entry } from "../dump/batches";
import { keyOf, textOf } from "../dump/values";
import { type ImagePlace, imagePlace } from "../map/paths";
import type { MigratedDataset, Migration } from "./context";
import type { CollectionReport } from "./report";

/** An image with the path that it gets in its dataset. */
export interface Placed extends Entry {
  dataset: MigratedDataset;
  label: string;
  place: ImagePlace;
}

/** Returns the images with their places, whose paths differ within each dataset. */
export async function placeAll(
  { db, datasets, report: all }: Migration,
  entries: readonly Entry[],
  report: CollectionReport,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const { key, doc } of entries) {
    const path = textOf(doc.path) ?? "";
    const label = `image ${key} (${path || textOf(doc.file_name) || "without a path"})`;
    const dataset = datasets.get(keyOf(doc.dataset_id) ?? "");
    const place = dataset && imagePlace(dataset, path, textOf(doc.file_name) ?? "");
    if (!dataset) report.skip(label, "belongs to a dataset that is gone from the old database, or from Limn");
    else if (!place) report.skip(label, "has neither a path nor a file name");
    else placed.push({ key, doc, dataset, label, place });
  }
  const taken = await takenPaths(db, placed);
  for (const each of placed) {
    const { place, dataset, label } = each;
    const free = freePath(place.path, (path) => taken.has(`${dataset.id} ${path}`));
    if (place.isRenamed || free !== place.path)
      all.of("image_model").note(label, `has a path that cannot be used, and is now at ${free}`);
    taken.add(`${dataset.id} ${free}`);
    each.place = { ...place, path: free };
  }
  return placed;
}

async function takenPaths(db: Kysely<Schema>, placed: readonly Placed[]): Promise<Set<string>> {
  if (placed.length === 0) return new Set();
  const pairs = placed.map(({ dataset, place }) => ({ id: dataset.id, path: place.path }));
  const { rows } = await sql<{ dataset_id: number; path: string }>`
    select i.dataset_id, i.path from json_to_recordset(${JSON.stringify(pairs)}::json) as x(id int, path text)
    join images i on i.dataset_id = x.id and i.path = x.path collate "C"`.execute(db);
  return new Set(rows.map(({ dataset_id, path }) => `${dataset_id} ${path}`));
}

/** Returns the path, or with a number before its extension if it is taken: "a/1 (2).jpg". */
function freePath(path: string, isTaken: (path: string) => boolean): string {
  const stem = withoutExtension(path);
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? path : `${stem} (${number})${path.slice(stem.length)}`;
    if (!isTaken(wanted)) return wanted;
  }
}
