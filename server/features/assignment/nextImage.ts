import { type RawBuilder, sql } from "kysely";
import type { NextImage, QueueReason } from "../../../shared/api/datasets/queue";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { DatasetAccess } from "../access/access";
import type { Services } from "../services";
import { isLeased, leaseFound, release } from "./leases";
import { isAssignedTo, rankedImages } from "./queueOrder";

const NOTHING: NextImage = { image_id: null, reason: null, until: null };

/** One of the searches for an image, which run one after the other until one finds an image. */
interface Search {
  reason: QueueReason;
  /** SQL condition on `images`. */
  where: RawBuilder<unknown>;
  /** Only these images, in this order; undefined for all, in the order of the list. */
  ranked?: readonly number[];
}

/**
 * Leases a dataset's next image to a user (decision 147): an image that was returned to the user, then one assigned to
 * the user, then one that is leased to the user already, then one of nobody. A repeated call therefore returns the same
 * image until it is done. Images in `except` are left out, and the user's leases on them end.
 */
export async function nextImage(
  services: Pick<Services, "db" | "live" | "wakeRunner">,
  user: CurrentUser,
  dataset: DatasetAccess,
  except: readonly number[],
): Promise<NextImage> {
  const { db, live } = services;
  const searches = await searchesFor(services, user, dataset);
  const released = await release(db, dataset.id, except, { userId: user.id });
  const found = (await takeFree({ isPatient: false })) ?? (await takeFree({ isPatient: true })) ?? NOTHING;
  if (found.image_id !== null || released.length > 0) live.notifyWork(dataset.id, [user.id], "leases");
  return found;

  /**
   * Leases the first image that nobody else gets at the same moment. Images that another transaction has locked are
   * skipped, so that callers do not wait for each other; a patient search waits for them.
   */
  async function takeFree({ isPatient }: { isPatient: boolean }): Promise<NextImage | undefined> {
    for (;;) {
      const taken = await take(isPatient);
      if (taken !== "lost") return taken;
    }
  }

  /**
   * Searches and leases in one statement, which is a transaction by itself, since each round trip takes as long as a
   * search. Returns "lost" if another user has leased the image after the statement began that found it.
   */
  async function take(isPatient: boolean): Promise<NextImage | "lost" | undefined> {
    const nameOf = (place: number) => sql.raw(`search_${place}`);
    const lock = sql`for update ${isPatient ? sql`` : sql`skip locked`}`;
    const parts = searches.map(({ reason, where, ranked }, place) => {
      const others = searches.slice(0, place).map((_, earlier) => sql`and not exists (select from ${nameOf(earlier)})`);
      const images = sql`
        select images.id from images
        where images.dataset_id = ${dataset.id} and ${isLiveImage()} and not images.done
          and images.id <> all(${except}::integer[]) and ${where} and not ${isLeased(sql`l.user_id <> ${user.id}`)}
          ${sql.join(others, sql` `)}`;
      // One ranked image after the other is looked up and locked, so that only as many rows are read as are needed.
      const found = ranked
        ? sql`unnest(${ranked}::integer[]) as ranked(id)
            cross join lateral (${images} and images.id = ranked.id ${lock}) image limit 1`
        : sql`(${images} order by images.name_key, images.id limit 1 ${lock}) image`;
      return sql`${nameOf(place)} as materialized (select image.id, ${reason}::text as reason from ${found})`;
    });
    const all = searches.map((_, place) => sql`select * from ${nameOf(place)}`);
    const { rows } = await sql<{ id: number; reason: QueueReason; until: Date | null }>`
      with ${sql.join(parts)},
        found as materialized (${sql.join(all, sql` union all `)}),
        leased as (${leaseFound(dataset.id, user.id)})
      select found.id, found.reason, leased.until from found left join leased on leased.image_id = found.id`.execute(
      db,
    );
    const [row] = rows;
    if (!row) return undefined;
    return row.until ? { image_id: row.id, reason: row.reason, until: row.until.toISOString() } : "lost";
  }
}

/** Returns the searches for a user's next image. Images that are not ranked come after those that are. */
async function searchesFor(
  services: Pick<Services, "db" | "wakeRunner">,
  { id }: CurrentUser,
  dataset: DatasetAccess,
): Promise<Search[]> {
  const inOrder = async (reason: QueueReason, assignee: number | null): Promise<Search[]> => {
    const where = isAssignedTo(assignee);
    const ranked = await rankedImages(services, dataset, assignee);
    return ranked.length > 0
      ? [
          { reason, where, ranked },
          { reason, where },
        ]
      : [{ reason, where }];
  };
  const assigned: Search[] = [
    { reason: "returned", where: sql`${isAssignedTo(id)} and images.stage = 'returned'` },
    ...(await inOrder("assigned", id)),
  ];
  if (dataset.queue_assigned_only) return assigned;
  const leased = sql`${isAssignedTo(null)} and ${isLeased(sql`l.user_id = ${id}`)}`;
  return [...assigned, { reason: "leased", where: leased }, ...(await inOrder("free", null))];
}
