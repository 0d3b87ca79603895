import { type RawBuilder, sql, type Transaction } from "kysely";
import type { NextImage, QueueReason } from "../../../shared/api/datasets/queue";
import type { CurrentUser } from "../../base/permissions";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { DatasetAccess } from "../access/access";
import type { Services } from "../services";
import { isLeased, lease, release } from "./leases";
import { queueOrder } from "./queueOrder";

const NOTHING: NextImage = { image_id: null, reason: null, until: null };

/**
 * Leases a dataset's next image to a user (decision 147): an image that was returned to the user, then one assigned to
 * the user, then one that is leased to the user already, then one of nobody. A repeated call therefore returns the same
 * image until it is done. Images in `except` are left out, and the user's leases on them end.
 */
export async function nextImage(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  dataset: DatasetAccess,
  except: readonly number[],
): Promise<NextImage> {
  const order = await queueOrder(db, dataset);
  const released = await release(db, dataset.id, except, user.id);
  const found = (await takeFree({ isPatient: false })) ?? (await takeFree({ isPatient: true })) ?? NOTHING;
  if (found.image_id !== null || released.length > 0) live.notifyWork(dataset.id, [user.id], "leases");
  return found;

  /**
   * Leases the first image that nobody else gets at the same moment. Images that another transaction has locked are
   * skipped, so that callers do not wait for each other; a patient search waits for them.
   */
  async function takeFree({ isPatient }: { isPatient: boolean }): Promise<NextImage | undefined> {
    for (;;) {
      const taken = await transaction(db, (trx) => take(trx, isPatient));
      if (taken !== "lost") return taken;
    }
  }

  /** Returns "lost" if another user has leased the image after the statement began that found it. */
  async function take(trx: Transaction<Schema>, isPatient: boolean): Promise<NextImage | "lost" | undefined> {
    for (const reason of reasonsFor(dataset)) {
      const { rows } = await sql<{ id: number }>`
        select images.id from images
        where images.dataset_id = ${dataset.id} and ${isLiveImage()} and not images.done
          and images.id <> all(${except}::integer[]) and ${CONDITIONS[reason](user.id)}
          and not ${isLeased(sql`l.user_id <> ${user.id}`)}
        order by ${order} limit 1 for update ${isPatient ? sql`` : sql`skip locked`}`.execute(trx);
      const [image] = rows;
      if (!image) continue;
      const until = await lease(trx, dataset.id, image.id, user.id);
      return until ? { image_id: image.id, reason, until: until.toISOString() } : "lost";
    }
    return undefined;
  }
}

/** SQL conditions for the images that a user gets for each reason. */
const CONDITIONS: Record<QueueReason, (userId: number) => RawBuilder<boolean>> = {
  returned: (userId) => sql`images.assignee_id = ${userId} and images.stage = 'returned'`,
  assigned: (userId) => sql`images.assignee_id = ${userId}`,
  leased: (userId) => sql`images.assignee_id is null and ${isLeased(sql`l.user_id = ${userId}`)}`,
  free: () => sql`images.assignee_id is null`,
};

const reasonsFor = ({ queue_assigned_only }: DatasetAccess): QueueReason[] =>
  queue_assigned_only ? ["returned", "assigned"] : ["returned", "assigned", "leased", "free"];
