import { sql, type Transaction } from "kysely";
import type { WorkSession } from "../../../shared/edits/edit";
import type { AnnotationRow, CategoryRow, ImageRow, Schema } from "../../db/schema";
import { notFound } from "../../errors";
import { isOwner, mayChangeCategory, type Person } from "../../permissions";
import type { Services } from "../../services";
import { categoriesSeenBy, type DatasetAccess, visibleImage } from "../access";
import { requireAllowedOrigin } from "../annotateUrl";
import { storeForCall } from "../edits/storeForCall";
import { storePreferences } from "../edits/storePreferences";
import { storeSessions } from "../edits/storeSessions";
import type { ServerEdit } from "../edits/verbatim";
import { keypointsAfter } from "../updateCategory";
import { annotationEdit, categoryEdit, imageEdit } from "./editsOfState";
import { parseState, type SavedAnnotation, type SavedState, sessionsOf } from "./savedState";

type Trx = Transaction<Schema>;

/**
 * The full-state save of older clients, all or nothing. What differs from what is stored becomes edits on the newest
 * revision. Unknown and deleted annotations and categories are passed over, those that are missing stay. Throws 400, and
 * 404 for a picture that the person does not see.
 */
export async function saveState(services: Services, person: Person, body: unknown): Promise<void> {
  const state = parseState(body);
  const imageId = state.image.id;
  if (!Number.isInteger(imageId) || imageId < 1 || imageId > 2_147_483_647) throw notFound("Image does not exist");
  await storeForCall(services, person, async (trx, store) => {
    const { image, dataset } = await lockImage(trx, person, imageId);
    const stored = await loadStored(trx, person, image, state);
    const { edits, sessions } = editsOf(state, image, stored, person);
    await store(edits, [image.id]);
    await storeSessions(trx, person, sessions);
    if (state.user) await storePreferences(trx, person, state.user);
    await storeAnnotateUrl(trx, person, dataset, state, services.env.ANNOTATE_ORIGINS);
  });
}

async function lockImage(trx: Trx, person: Person, id: number): Promise<{ image: ImageRow; dataset: DatasetAccess }> {
  await visibleImage(trx, person, id);
  await sql`select from images where id = ${id} for update`.execute(trx);
  return visibleImage(trx, person, id);
}

interface Stored {
  annotations: Map<number, AnnotationRow>;
  categories: Map<number, CategoryRow>;
  /** Categories that may be ticked. */
  usable: Set<number>;
}

async function loadStored(trx: Trx, person: Person, image: ImageRow, state: SavedState): Promise<Stored> {
  const annotations = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("image_id", "=", image.id)
    .where("visible", "=", true)
    .where("deleted_at", "is", null)
    .execute();
  const named = [
    ...(state.categories ?? []).map((category) => category.id),
    ...(state.image.category_ids ?? []),
    ...annotations.map((row) => row.category_id),
  ].filter((id) => Number.isInteger(id) && Math.abs(id) <= 2_147_483_647);
  const categories = await trx
    .selectFrom("categories")
    .selectAll()
    .select((eb) => eb("id", "in", categoriesSeenBy(trx, person).select("categories.id")).as("seen"))
    .where("id", "=", sql<number>`any(${[...new Set(named)]}::int[])`)
    .execute();
  return {
    annotations: new Map(annotations.map((row) => [row.id, row])),
    categories: new Map(categories.map(({ seen: _, ...row }) => [row.id, row])),
    usable: new Set(categories.flatMap((row) => (row.seen ? [row.id] : []))),
  };
}

function editsOf(state: SavedState, image: ImageRow, stored: Stored, person: Person) {
  const edits: ServerEdit[] = [];
  const sessions: WorkSession[] = [];
  const done = new Set<number>();
  for (const saved of state.categories ?? []) {
    const row = stored.categories.get(saved.id);
    if (!row || row.deleted_at || !stored.usable.has(row.id) || !mayChangeCategory(person, row)) continue;
    const edit = categoryEdit(saved, row, image.id);
    if (!edit) continue;
    edits.push(edit);
    // The keypoints of this save are in the order of its own labels.
    stored.categories.set(row.id, { ...row, keypoints: keypointsAfter(row.keypoints, edit.after) });
  }
  for (const saved of (state.categories ?? []).flatMap((category) => category.annotations ?? [])) {
    const row = stored.annotations.get(saved.id);
    const category = row && stored.categories.get(row.category_id);
    if (!row || !category || done.has(row.id)) continue;
    done.add(row.id);
    push(edits, annotationEdit(saved, row, image, category));
    sessions.push(...sessionsOfAnnotation(person, saved, row));
  }
  const annotated = new Set([...stored.annotations.values()].map((row) => row.category_id));
  push(edits, imageEdit(state, image, annotated, stored.usable));
  return { edits, sessions };
}

function push(edits: ServerEdit[], edit: ServerEdit | undefined): void {
  if (edit) edits.push(edit);
}

const sessionsOfAnnotation = (person: Person, saved: SavedAnnotation, row: AnnotationRow): WorkSession[] =>
  sessionsOf(person, row.image_id, row.uuid, saved.sessions ?? []);

/** The owner's to set; from others, and when it is as it was, it is passed over. */
async function storeAnnotateUrl(
  trx: Trx,
  person: Person,
  dataset: DatasetAccess,
  state: SavedState,
  allowed: readonly string[],
): Promise<void> {
  const url = state.dataset?.annotate_url;
  if (url == null || url === dataset.annotate_url || !isOwner(person, dataset)) return;
  requireAllowedOrigin(url, allowed);
  await trx.updateTable("datasets").set({ annotate_url: url }).where("id", "=", dataset.id).execute();
}
