import { openAsBlob, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Schema } from "../../server/db/schema";
import type { Bed } from "./bed";
import { downloadCoco } from "./downloadCoco";
import { type Figure, perSecond, rate, timed } from "./figures";
import { memory, peakMemory } from "./memory";
import { polygon, seedImages, writeCoco } from "./seed";

const IMAGES = 5_000;
const ANNOTATIONS = 100_000;
const BATCH = 1_000;

/** Measures COCO import and export, beside plain SQL on the same rows of the same database. */
export async function importExport(bed: Bed): Promise<Figure[]> {
  const dataset = await bed.client.send<{ id: number }>("POST", "dataset/?name=import", {});
  await bed.rows(({ db }) => seedImages(db, dataset.id, IMAGES));
  const path = join(tmpdir(), `limn-bench-${process.pid}.json`);
  await writeCoco(path, IMAGES, ANNOTATIONS);

  const before = memory(bed.server.pid);
  const ours = await timed(() => importFile(bed, dataset.id, path));
  const more = peakMemory(bed.server.pid) - before;
  const fileMb = Math.round(statSync(path).size / 1e6);
  rmSync(path);

  const exported = await timed(() => downloadCoco(bed, dataset.id));
  const peer = await bed.rows(async ({ db }) => ({
    read: await timed(() => readRows(db)),
    insert: await timed(() => insertRows(db, dataset.id)),
  }));
  if (peer.read.value !== ANNOTATIONS) throw new Error(`${peer.read.value} annotations after the import`);

  const importRate = perSecond(ANNOTATIONS, ours.ms);
  const insertRate = perSecond(ANNOTATIONS, peer.insert.ms);
  const exportRate = perSecond(ANNOTATIONS, exported.ms);
  const readRate = perSecond(ANNOTATIONS, peer.read.ms);
  const unit = "annotations";
  return [
    {
      what: `COCO import of ${ANNOTATIONS.toLocaleString("en")} annotations of 60 points (${fileMb} MB), ${bed.kind}`,
      ours: rate(importRate, unit),
      peer: `${rate(insertRate, unit)}: multi-row INSERT of the same rows, ${BATCH} a statement`,
      ratio: importRate / insertRate,
      goal: "at least 0.5",
      met: importRate / insertRate >= 0.5,
    },
    {
      what: `Memory used by this import, ${bed.kind}`,
      ours: `${Math.round(more)} MB more at its peak`,
      peer: "-",
      ratio: null,
      goal: "less than 300 MB",
      met: more < 300,
    },
    {
      what: `COCO export of the same, ${bed.kind}`,
      ours: rate(exportRate, unit),
      peer: `${rate(readRate, unit)}: reading the same rows, ${BATCH} a query`,
      ratio: exportRate / readRate,
      goal: "at least 0.5",
      met: exportRate / readRate >= 0.5,
    },
  ];
}

async function importFile(bed: Bed, datasetId: number, path: string): Promise<void> {
  const form = new FormData();
  form.append("coco", await openAsBlob(path), "bench.json");
  const started = await (await bed.client.fetch("POST", `dataset/${datasetId}/coco`, form)).json();
  await bed.client.finished((started as { id: number }).id);
}

/** Reads the rows that an export needs, with keyset pagination, without processing them. */
async function readRows(db: Kysely<Schema>): Promise<number> {
  const columns = [
    "id",
    "image_id",
    "category_id",
    "shape",
    "area",
    "bbox",
    "iscrowd",
    "isbbox",
    "color",
    "metadata",
    "keypoints",
    "extra",
  ] as const;
  let [last, count] = [0, 0];
  for (;;) {
    const rows = await db
      .selectFrom("annotations")
      .select(columns)
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    count += rows.length;
    if (rows.length < BATCH) return count;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Inserts the annotation rows alone, with the columns and batch size of the import. */
async function insertRows(db: Kysely<Schema>, datasetId: number): Promise<void> {
  const images = await db.selectFrom("images").select("id").where("dataset_id", "=", datasetId).orderBy("id").execute();
  const categories = await db.selectFrom("categories").select("id").orderBy("id").execute();
  for (let from = 0; from < ANNOTATIONS; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, i) => ({
      image_id: images[(from + i) % images.length]?.id ?? 0,
      category_id: categories[(from + i) % categories.length]?.id ?? 0,
      shape: JSON.stringify([polygon(from + i)]),
      area: 1000.5,
      bbox: "[10,10,100,100]",
      iscrowd: false,
      isbbox: false,
      color: "#336699",
      metadata: "{}",
      creator_name: "bench",
      visible: true,
    }));
    await db.insertInto("annotations").values(rows).execute();
  }
}
