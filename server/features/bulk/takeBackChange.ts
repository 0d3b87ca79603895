import { type Kysely, sql, type Transaction } from "kysely";
import type { Stage } from "../../../shared/entities/image";
import { mayMoveTo, ONLY_REVIEWERS, type StageState } from "../../../shared/rules/stages";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import { concernedUsers } from "../assignment/concernedUsers";
import { lockImages, notifyRaisedImages, raiseImages } from "./bulkWrite";
import { type ChangeTools, changedSince, type Failure, type Outcome } from "./change";
import { writeStages } from "./markImages";
import { moveImages } from "./moveImages";

/** An image that the change affected. `path` is null if it is no longer in the dataset. */
interface ChangedImage {
  id: number;
  path: string | null;
  isInTrash: boolean;
  stageNow: Stage | null;
  returnedBy: string | null;
  assigneeNow: number | null;
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  before: { path?: string; labels?: number[]; assignee?: number | null } & Partial<StageState>;
  /** True if the value is neither the value before the change nor the value after it, so it was changed again. */
  wasChanged: boolean;
}

/**
 * Restores the path, labels, stage or user that images had before the change `of`. Images that were changed, moved or
 * deleted since, and those that the user may no longer change like that, are left alone and reported as failures.
 * Applying it twice has the same result as once.
 */
export async function takeBackChange(
  tools: ChangeTools,
  dataset: { id: number; folder: string },
  { of, userId, ...rights }: Rights & { of: string; userId: number },
  ids: readonly number[],
): Promise<Outcome> {
  const { places, changed, failures, raised, assigned, staged } = await transaction(tools.db, async (trx) => {
    await lockImages(trx, ids);
    const images = await readImages(trx, dataset.id, of, ids);
    const failures = images.flatMap((image) => refusal(image, rights));
    const refused = new Set(failures.map(({ id }) => id));
    const free = images.filter(({ id }) => !refused.has(id));
    const rest = free.filter(({ before }) => before.path === undefined);
    const places = new Map(free.flatMap(({ id, before }) => (before.path === undefined ? [] : [[id, before.path]])));
    const assigned = free.flatMap(({ before, assigneeNow }) =>
      "assignee" in before ? [before.assignee ?? [], assigneeNow ?? []].flat() : [],
    );
    const staged = free.flatMap(({ id, stageNow, before: { stage } }) => (stage && stage !== stageNow ? [id] : []));
    const raised = await restoreValues(trx, { of, userId }, rest);
    return { places, changed: rest.length, failures, raised, assigned, staged };
  });
  notifyRaisedImages(tools.live, raised);
  if (assigned.length > 0) tools.live.notifyWork(dataset.id, assigned, "assignments");
  for (const { userIds } of await concernedUsers(tools.db, staged))
    tools.live.notifyWork(dataset.id, userIds, "assignments");
  if (places.size === 0) return { changed, failures };
  const moved = await moveImages(tools, dataset, (image) => places.get(image.id) ?? image.path, [...places.keys()]);
  return { changed: changed + moved.changed, failures: [...failures, ...moved.failures] };
}

/** Rights of the user at the moment of the undo. */
interface Rights {
  mayReview: boolean;
  mayAssign: boolean;
}

/** Reads the images of a change with their values before it. */
async function readImages(
  db: Kysely<Schema>,
  datasetId: number,
  of: string,
  ids: readonly number[],
): Promise<ChangedImage[]> {
  const hasLabels = (labels: "before" | "after") => {
    const list = sql`array(select jsonb_array_elements_text(${sql.ref(`b.${labels}`)} -> 'labels')::integer)`;
    return sql`(i.labels @> ${list} and i.labels <@ ${list})`;
  };
  const { rows } = await sql<ChangedImage>`
    select b.image_id as id, i.path, i.stage as "stageNow", i.returned_by as "returnedBy",
      i.assignee_id as "assigneeNow", coalesce(d.review, false) as "isReviewed", i.deleted_at is not null as "isInTrash", b.before,
      case when b.before ? 'path' then i.path <> b.before ->> 'path' and i.path <> b.after ->> 'path'
        when b.before ? 'labels' then not ${hasLabels("before")} and not ${hasLabels("after")}
        when b.before ? 'stage' then i.stage <> b.before ->> 'stage' and i.stage <> b.after ->> 'stage'
        when b.before ? 'assignee' then i.assignee_id is distinct from (b.before ->> 'assignee')::integer
          and i.assignee_id is distinct from (b.after ->> 'assignee')::integer
        else false end as "wasChanged"
    from images_before b left join images i on i.id = b.image_id and i.dataset_id = ${datasetId}::integer
      left join datasets d on d.id = i.dataset_id
    where b.change = ${of}::uuid and b.image_id = any(${ids}::integer[]) order by b.image_id`.execute(db);
  return rows;
}

function refusal(image: ChangedImage, rights: Rights): Failure[] {
  const { id, path, isInTrash, wasChanged, before } = image;
  if (path === null) return [{ id, message: "The image no longer exists." }];
  if (isInTrash) return [{ id, message: `${path} is in the trash.` }];
  if (!wasChanged) {
    const reason = lackOfRights(image, rights);
    return reason ? [{ id, message: `${path}: ${reason}` }] : [];
  }
  if (before.path !== undefined) return [{ id, message: `It has since been moved to ${path}.` }];
  const what = before.stage ? "stage" : "assignee" in before ? "assigned user" : "labels";
  return [{ id, message: changedSince(what, path) }];
}

function lackOfRights(image: ChangedImage, { mayReview, mayAssign }: Rights): string | undefined {
  const { before, stageNow: stage, returnedBy: returned_by, isReviewed } = image;
  if ("assignee" in before && !mayAssign) return "You do not have permission to assign images";
  if (before.stage && stage && !mayMoveTo(before.stage, { stage, returned_by }, { isReviewed, mayReview }))
    return ONLY_REVIEWERS;
  return undefined;
}

/** Restores stages, users and labels. Returns the images that open pages must be told of. */
async function restoreValues(
  trx: Transaction<Schema>,
  { of, userId }: { of: string; userId: number },
  images: readonly ChangedImage[],
) {
  const staged = images.flatMap(({ id, stageNow, before: { stage, returned_by = null, returned_at = null } }) =>
    stage && stage !== stageNow ? [{ id, stage, returned_by, returned_at }] : [],
  );
  const raised = await writeStages(trx, userId, staged);
  const ids = images.map(({ id }) => id);
  const record = sql`images_before b where b.change = ${of}::uuid and b.image_id = images.id`;
  // Leaves out users who may no longer annotate the dataset.
  await sql`
    update images set assignee_id = (
      select u.id from users u where u.id = (select (b.before ->> 'assignee')::integer from ${record}) and (
        exists (select from datasets d where d.id = images.dataset_id and d.owner_id = u.id)
        or exists (select from dataset_members m
          where m.dataset_id = images.dataset_id and m.user_id = u.id and m.role <> 'viewer')))
    where id = any(${ids}::integer[]) and exists (select from ${record} and b.before ? 'assignee')`.execute(trx);
  // Leaves out categories that have since been deleted for good.
  const labels = sql`array(select c.id from categories c where c.id in (
    select jsonb_array_elements_text(b.before -> 'labels')::integer from ${record}) order by 1)`;
  const { rows } = await sql<{ id: number }>`
    select id from images where id = any(${ids}::integer[])
      and exists (select from ${record} and b.before ? 'labels') and labels <> ${labels}`.execute(trx);
  const labelled = await raiseImages(
    trx,
    rows.map(({ id }) => id),
    sql`, labels = ${labels}`,
  );
  return [...raised, ...labelled];
}
