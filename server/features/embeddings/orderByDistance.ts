import { type Kysely, type RawBuilder, sql } from "kysely";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { threadsOf } from "../../threads/threads";
import { ANNOTATED, DONE, OPEN, type OrderAnswer, type OrderedPage, type OrderQuestion } from "./order/orderQuestion";

/** Number of images that are read at once, so that reading them hardly delays other requests. */
const PAGE = 2_000;
/** Images that are compared: their embeddings take 64 MB. Of a larger dataset, those that were added first. */
const MOST_COMPARED = 250_000;
const HEAP_MB = 256;

const takeThread = threadsOf<OrderQuestion, OrderAnswer>(new URL("./order/orderWork", import.meta.url), HEAP_MB);

/**
 * Returns the ids of images that are not done and meet a condition on `images`, farthest first from those that are
 * labelled (see `Collection.order`), at most `most`. Images without an embedding are left out. A thread computes the
 * order.
 */
export async function orderByDistance(
  db: Kysely<Schema>,
  datasetId: number,
  isOpen: RawBuilder<unknown>,
  most: number,
): Promise<number[]> {
  const thread = takeThread();
  try {
    await thread.ask({ begin: true });
    for await (const add of pages(db, datasetId, isOpen)) await thread.ask({ add });
    return await thread.ask({ order: most });
  } finally {
    thread.end();
  }
}

async function* pages(db: Kysely<Schema>, datasetId: number, isOpen: RawBuilder<unknown>): AsyncGenerator<OrderedPage> {
  for (let [last, count] = [0, 0]; count < MOST_COMPARED; ) {
    // The page comes first: joined with all images, each page would read all of them.
    const { rows } = await sql<{ last: number | null; ids: number[] | null; kinds: number[]; embeddings: Buffer }>`
      with page as materialized (
        select * from image_embeddings where dataset_id = ${datasetId}::integer and image_id > ${last}::integer
        order by image_id limit ${PAGE})
      select max(page.image_id) as last,
        array_agg(known.id order by known.id) filter (where known.id is not null) as ids,
        array_agg(known.kind order by known.id) filter (where known.id is not null) as kinds,
        string_agg(page.embedding, ''::bytea order by known.id) filter (where known.id is not null) as embeddings
      from page left join lateral (
        select images.id, case when images.done then ${DONE}::integer else 0 end
          + case when images.annotated then ${ANNOTATED}::integer else 0 end
          + case when not images.done and ${isOpen} then ${OPEN}::integer else 0 end as kind
        from images where images.id = page.image_id and images.hash = page.hash and ${isLiveImage()}
          and page.embedding is not null
      ) known on known.kind > 0`.execute(db);
    const [page] = rows;
    if (!page?.last) return;
    last = page.last;
    if (!page.ids) continue;
    count += page.ids.length;
    yield { ids: page.ids, kinds: page.kinds, embeddings: new Uint8Array(page.embeddings) };
  }
}
