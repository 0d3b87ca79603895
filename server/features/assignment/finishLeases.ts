import { sql, type Transaction } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";

/**
 * Ends the leases on images that a user has finished, and assigns images of nobody to the user: those that wait for
 * review, so that they come back to the user if they are returned, and those that the user had from the queue. Images
 * are only assigned to members and the owner.
 */
export async function finishLeases(
  trx: Transaction<Schema>,
  user: CurrentUser,
  imageIds: readonly number[],
): Promise<void> {
  if (imageIds.length === 0) return;
  await sql`
    with finished as (
      select i.id, i.dataset_id, i.stage, i.assignee_id from images i where i.id = any(${imageIds}::integer[]) and i.done
    ), ended as (
      delete from image_leases l using finished f where l.image_id = f.id returning l.image_id, l.user_id
    )
    update images set assignee_id = ${user.id}
    from finished f join datasets d on d.id = f.dataset_id
    where images.id = f.id and f.assignee_id is null
      and (f.stage = 'to_review' or exists (select from ended e where e.image_id = f.id and e.user_id = ${user.id}))
      and (d.owner_id = ${user.id} or exists (
        select from dataset_members m where m.dataset_id = d.id and m.user_id = ${user.id}))`.execute(trx);
}
