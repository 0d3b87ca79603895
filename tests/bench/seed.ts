import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../../server/db/schema";

/** Returns a polygon of 60 points with one decimal, about as large as a hand on the image. */
export function polygon(seed: number, points = 60): number[] {
  const [cx, cy, r] = [100 + ((seed * 37) % 1000), 100 + ((seed * 91) % 700), 20 + (seed % 60)];
  return Array.from({ length: points }, (_, i) => {
    const angle = (i / points) * 2 * Math.PI;
    const radius = r * (1 + 0.2 * Math.sin(angle * 5 + seed));
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)].map((v) => Math.round(v * 10) / 10);
  }).flat();
}

/** Inserts rows of images without files directly into the database: the measured calls do not read files. */
export async function seedImages(db: Kysely<Schema>, datasetId: number, count: number): Promise<void> {
  // In parts, each without the server's time limit, which a busy machine exceeds.
  for (let from = 0; from < count; from += 20_000)
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`
        insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, annotated, num_annotations)
        select ${datasetId}::int, 'part' || n % 20 || '/' || lpad(n::text, 8, '0') || '.jpg', 'part' || n % 20 || '/',
          lpad(n::text, 8, '0') || '.jpg', 1280, 960, 'image/jpeg', 100000, 0, md5(n::text), n % 3 = 0, case when n % 3 = 0 then 5 else 0 end
        from generate_series(${from + 1}::int, ${Math.min(count, from + 20_000)}::int) n`.execute(trx);
    });
  await vacuum(db, "images");
}

/** Writes a COCO file in the layout of the official ones: annotations before categories. */
export async function writeCoco(path: string, images: number, annotations: number): Promise<void> {
  const file = createWriteStream(path);
  const write = async (text: string) => {
    if (!file.write(text)) await once(file, "drain");
  };
  await write('{"info":{"description":"bench"},"images":[');
  for (let i = 1; i <= images; i++) {
    const name = `part${i % 20}/${String(i).padStart(8, "0")}.jpg`;
    await write(`${i > 1 ? "," : ""}{"id":${i},"file_name":"${name}","width":1280,"height":960}`);
  }
  await write('],"annotations":[');
  for (let i = 1; i <= annotations; i++) {
    const image = 1 + (i % images);
    const item = {
      id: i,
      image_id: image,
      category_id: 1 + (i % 10),
      segmentation: [polygon(i)],
      area: 1000.5,
      bbox: [10, 10, 100, 100],
      iscrowd: 0,
    };
    await write((i > 1 ? "," : "") + JSON.stringify(item));
  }
  const categories = Array.from({ length: 10 }, (_, i) => ({
    id: i + 1,
    name: `thing ${i + 1}`,
    supercategory: "things",
  }));
  await write(`],"categories":${JSON.stringify(categories)}}`);
  file.end();
  await once(file, "close");
}

/** Vacuums a table, as the database does by itself some time after many rows were written. */
export async function vacuum(db: Kysely<Schema>, table: keyof Schema): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(one);
    await sql`reset statement_timeout`.execute(one);
  });
}
