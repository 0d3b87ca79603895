import { sql } from "kysely";
import type { Bed } from "./bed";
import { type Figure, timed } from "./figures";
import { p99 } from "./latencies";
import { vacuum } from "./seed";

const FEW = 52;
const DATASETS = 1_000;
const IMAGES_OF_EACH = 100;
const ROUNDS = 100;

/** Measures the page of dataset cards with totals, for a thousand datasets and for one page of them. */
export async function datasets(bed: Bed): Promise<Figure> {
  const measure = async () => {
    const times: number[] = [];
    for (let round = -5; round < ROUNDS; round++) {
      const { ms } = await timed(() => bed.client.get("dataset/data?page=1&limit=52"));
      if (round >= 0) times.push(ms);
    }
    return p99(times);
  };
  const add = (count: number) => bed.rows(({ db }) => seed(db, count));
  await add(FEW);
  const few = await measure();
  await add(DATASETS - FEW);
  const many = await measure();
  return {
    what: `Page of 52 of ${DATASETS.toLocaleString("en")} datasets with ${IMAGES_OF_EACH} images each, ${bed.kind}`,
    ours: `p99 ${many.toFixed(0)} ms`,
    peer: `p99 ${few.toFixed(0)} ms: the same of ${FEW} datasets`,
    ratio: many / few,
    goal: "at most 3",
    met: many / few <= 3,
  };
}

async function seed(db: Parameters<Parameters<Bed["rows"]>[0]>[0]["db"], count: number): Promise<void> {
  for (let from = 0; from < count; from += 100)
    await sql`
      with made as (
        insert into datasets (name, folder, owner_id)
        select 'set ' || gen_random_uuid(), gen_random_uuid()::text, (select min(id) from users)
        from generate_series(${from + 1}::int, ${Math.min(count, from + 100)}::int) returning id
      )
      insert into images (dataset_id, path, folder, file_name, width, height, mime, bytes, modified_ms, hash, annotated)
      select id, n || '.jpg', '', n || '.jpg', 640, 480, 'image/jpeg', 1, 0, n::text, n % 2 = 0
      from made, generate_series(1, ${IMAGES_OF_EACH}::int) n`.execute(db);
  await vacuum(db, "images");
}
