import { type SqlBool, sql } from "kysely";
import { EXTRA_KEYPOINTS_KEY } from "../../../../shared/rules/keypointTriples";

/**
 * Condition on `annotations a`: visible, not deleted, and with a shape, a box, keypoints or extra keypoints. The area
 * is tested before the shape, because reading a large shape means decompressing it.
 */
export const isShown = sql<SqlBool>`a.visible and a.deleted_at is null
  and (a.isbbox or a.area > 0 or coalesce(a.shape::text <> '[]', false) or coalesce(a.keypoints <> '[]', false)
    or coalesce(a.extra -> ${sql.lit(EXTRA_KEYPOINTS_KEY)} <> '[]', false))`;
