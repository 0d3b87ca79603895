import { sql, type Transaction } from "kysely";
import type { CurrentUser } from "../../base/permissions";
import { isLiveAnnotation, isVisibleAnnotation } from "../../db/rows/annotations";
import type { AnnotationRow, CategoryRow, ImageRow, Schema } from "../../db/schema";
import { categoriesSeenBy } from "../access/access";
import { type SavedState, savedAnnotations } from "../bodies/savedState";
import type { SentScene } from "../sentScenes/sentScenes";
import { heldOf } from "../sentScenes/sentVersions";

/** Stored rows that a save is compared with. */
export interface Stored {
  /** Annotations that the save names, deleted ones included, by id. */
  annotations: Map<number, AnnotationRow>;
  /** Ids of the categories of the image's live annotations. */
  annotated: Set<number>;
  categories: Map<number, CategoryRow>;
  /** Ids of the categories that the user may tick. */
  usable: Set<number>;
}

/** Loads the rows that a save, or the scenes it may be based on, names. */
export async function loadStored(
  trx: Transaction<Schema>,
  user: CurrentUser,
  image: ImageRow,
  state: SavedState,
  scenes: readonly SentScene[],
): Promise<Stored> {
  const candidateIds = savedAnnotations(state).flatMap(({ id }) => [
    id,
    ...scenes.map((scene) => heldOf(scene, id).id),
  ]);
  const ids = [...new Set(candidateIds)].filter(isId);
  const annotations = await trx
    .selectFrom("annotations")
    .selectAll()
    .where("image_id", "=", image.id)
    .where(isVisibleAnnotation())
    .where("id", "=", sql<number>`any(${ids}::int[])`)
    .execute();
  const live = await trx
    .selectFrom("annotations")
    .select("category_id")
    .distinct()
    .where("image_id", "=", image.id)
    .where(isLiveAnnotation())
    .execute();
  const annotated = new Set(live.map((row) => row.category_id));
  const named = [
    ...(state.categories ?? []).map((category) => category.id),
    ...(state.image.category_ids ?? []),
    ...annotations.map((row) => row.category_id),
    ...annotated,
  ].filter((id) => Number.isInteger(id) && Math.abs(id) <= 2_147_483_647);
  const categories = await trx
    .selectFrom("categories")
    .selectAll()
    .select((eb) => eb("id", "in", categoriesSeenBy(trx, user).select("categories.id")).as("seen"))
    .where("id", "=", sql<number>`any(${[...new Set(named)]}::int[])`)
    .execute();
  return {
    annotations: new Map(annotations.map((row) => [row.id, row])),
    annotated,
    categories: new Map(categories.map(({ seen: _, ...row }) => [row.id, row])),
    usable: new Set(categories.flatMap((row) => (row.seen ? [row.id] : []))),
  };
}

/** Returns true if a number can be the id of a row. */
export const isId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= 2_147_483_647;
