import { type Kysely, type RawBuilder, sql } from "kysely";
import { LEASE_MINUTES } from "../../../shared/api/datasets/queue";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";

/**
 * Leases of images (decision 147). A lease is in force for LEASE_MINUTES after the last activity of its user, while the
 * image is neither done nor in the trash. Others are ignored, and replaced when the image is leased again.
 */

const duration = sql.raw(`interval '${LEASE_MINUTES} minutes'`);
/** Activity within this time does not write again. */
const PAUSE = sql.raw(`interval '1 minute'`);

/** SQL condition for leases `l` that have not ended. */
export const isInForce = sql<boolean>`l.renewed_at > now() - ${duration}`;

/** SQL condition for rows of `images` that are leased, to the users for whom `whose` holds. */
export const isLeased = (whose: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from image_leases l where l.image_id = images.id and ${isInForce} and ${whose})`;

/**
 * SQL statement that leases the image in `found`, whose row is locked, to a user, or renews the user's lease. Returns
 * `until`, the time at which the lease ends; no row if another user has a lease.
 */
export const leaseFound = (datasetId: number, userId: number) => sql`
  insert into image_leases as l (image_id, dataset_id, user_id)
  select found.id, ${datasetId}::integer, ${userId}::integer from found
  on conflict (image_id) do update set user_id = excluded.user_id, dataset_id = excluded.dataset_id, renewed_at = now()
    where l.user_id = excluded.user_id or not ${isInForce}
  returning l.image_id, l.renewed_at + ${duration} as until`;

/**
 * Ends leases on images: those of a user, given by id or name, or of all users. Returns the ids of the users who had
 * them.
 */
export async function release(
  db: Kysely<Schema>,
  datasetId: number,
  imageIds: readonly number[],
  { userId = null, username = null }: { userId?: number | null; username?: string | null },
): Promise<number[]> {
  if (imageIds.length === 0) return [];
  const { rows } = await sql<{ user_id: number }>`
    delete from image_leases where dataset_id = ${datasetId} and image_id = any(${imageIds}::integer[])
      and (${userId}::integer is null or user_id = ${userId}::integer)
      and (${username}::text is null or user_id = (select id from users where username = ${username}))
    returning user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** Renews a user's leases on these images, at most once a minute. */
export async function renew(db: Kysely<Schema>, userId: number, imageIds: readonly number[]): Promise<void> {
  if (imageIds.length === 0) return;
  await sql`
    update image_leases set renewed_at = now()
    where image_id = any(${imageIds}::integer[]) and user_id = ${userId} and renewed_at < now() - ${PAUSE}`.execute(db);
}

/** Renews the leases of users on the images that they have open. */
export async function renewOpened(
  db: Kysely<Schema>,
  opened: readonly { imageId: number; username: string }[],
): Promise<void> {
  if (opened.length === 0) return;
  const [ids, names] = [opened.map(({ imageId }) => imageId), opened.map(({ username }) => username)];
  await sql`
    update image_leases l set renewed_at = now()
    from unnest(${ids}::integer[], ${names}::text[]) as o(image_id, username) join users u on u.username = o.username
    where l.image_id = o.image_id and l.user_id = u.id and ${isInForce}`.execute(db);
}

export interface Lease {
  image_id: number;
  file_name: string;
  username: string;
  until: string;
}

/** Returns the leases of a dataset that are in force, the newest first. */
export async function leasesOf(db: Kysely<Schema>, datasetId: number): Promise<Lease[]> {
  const { rows } = await sql<Omit<Lease, "until"> & { until: Date }>`
    select l.image_id, images.file_name, u.username, l.renewed_at + ${duration} as until
    from image_leases l join images on images.id = l.image_id join users u on u.id = l.user_id
    where l.dataset_id = ${datasetId} and ${isInForce} and ${isLiveImage()} and not images.done
    order by l.renewed_at desc, l.image_id`.execute(db);
  return rows.map(({ until, ...row }) => ({ ...row, until: until.toISOString() }));
}
