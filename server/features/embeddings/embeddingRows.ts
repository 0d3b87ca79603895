import { type Kysely, sql } from "kysely";
import { isLiveImage } from "../../db/rows/images";
import type { ImageRow, Schema } from "../../db/schema";

/** An image to describe. */
export type UnknownImage = Pick<ImageRow, "id" | "path" | "mime" | "hash" | "width" | "height" | "orientation">;

/** Condition on images i: the file was read as it is now, with or without success. */
const isRead = sql`exists (select from image_embeddings e where e.image_id = i.id and e.hash = i.hash)`;
/** Condition on images i: the image has an embedding of its file. */
const isKnown = sql`exists (
  select from image_embeddings e where e.image_id = i.id and e.hash = i.hash and e.embedding is not null)`;

const isIn = (datasetId: number) => sql`i.dataset_id = ${datasetId}::integer and ${isLiveImage("i")}`;

export interface EmbeddingCounts {
  /** Number of images. */
  images: number;
  /** Number of images that have an embedding. */
  compared: number;
  /** Number of images whose files cannot be read. */
  unreadable: number;
}

export async function countEmbeddings(db: Kysely<Schema>, datasetId: number): Promise<EmbeddingCounts> {
  const { rows } = await sql<EmbeddingCounts>`
    select count(*)::integer as images, count(e.embedding)::integer as compared,
      (count(e.image_id) - count(e.embedding))::integer as unreadable
    from images i left join image_embeddings e on e.image_id = i.id and e.hash = i.hash
    where ${isIn(datasetId)}`.execute(db);
  return rows[0]!;
}

/** Returns true if there are images whose files have not been read for an embedding. */
export async function hasUnread(db: Kysely<Schema>, datasetId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from images i where ${isIn(datasetId)} and not ${isRead}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/**
 * Returns the next images without an embedding in the order of their ids, after the id `last`, also unreadable ones.
 */
export async function unknownImages(
  db: Kysely<Schema>,
  datasetId: number,
  last: number,
  limit: number,
): Promise<UnknownImage[]> {
  const { rows } = await sql<UnknownImage>`
    select i.id, i.path, i.mime, i.hash, i.width, i.height, i.orientation from images i
    where ${isIn(datasetId)} and i.id > ${last}::integer and not ${isKnown} order by i.id limit ${limit}`.execute(db);
  return rows;
}

/** Stores an image's embedding, or null if its file cannot be read; nothing if the image was deleted for good. */
export async function storeEmbedding(
  db: Kysely<Schema>,
  { id, hash }: Pick<UnknownImage, "id" | "hash">,
  network: string,
  embedding: Float32Array<ArrayBuffer> | null,
): Promise<void> {
  const bytes = embedding && Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
  await sql`
    insert into image_embeddings (image_id, dataset_id, hash, network, embedding)
    select i.id, i.dataset_id, ${hash}, ${network}, ${bytes}::bytea from images i
    where i.id = ${id}::integer for key share
    on conflict (image_id) do update set dataset_id = excluded.dataset_id, hash = excluded.hash,
      network = excluded.network, embedding = excluded.embedding`.execute(db);
}

/** Deletes the embeddings that another network has computed, since their numbers mean something else. */
export async function forgetOtherNetworks(db: Kysely<Schema>, datasetId: number, network: string): Promise<void> {
  await sql`
    delete from image_embeddings where dataset_id = ${datasetId}::integer and network <> ${network}`.execute(db);
}
