import { type SqlBool, sql } from "kysely";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";

/**
 * Of `annotations a`: it is there to be seen, and has a shape, a box or keypoints, also such as its category has no label
 * for. The area is asked first, since a large shape would have to be unpacked.
 */
export const isShown = sql<SqlBool>`a.visible and a.deleted_at is null
  and (a.isbbox or a.area > 0 or coalesce(a.shape::text <> '[]', false) or coalesce(a.keypoints <> '[]', false)
    or coalesce(a.extra -> ${sql.lit(EXTRA_KEYPOINTS_KEY)} <> '[]', false))`;
