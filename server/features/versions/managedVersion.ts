import type { Kysely, Selectable } from "kysely";
import { absentAs, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { type DatasetAccess, visibleDataset } from "../access/access";
import { NO_DOWNLOAD } from "../exports/startExport";

export type VersionRow = Selectable<Schema["versions"]>;

export interface ManagedVersion {
  row: VersionRow;
  dataset: DatasetAccess;
}

const ABSENT = "Invalid version ID";

/**
 * Returns a version for its dataset's maintainers, owner and admins. Throws 403 for other members, and 404 if it does
 * not exist.
 */
export async function managedVersion(
  db: Kysely<Schema>,
  user: CurrentUser,
  versionId: number,
): Promise<ManagedVersion> {
  const row = await db.selectFrom("versions").selectAll().where("id", "=", versionId).executeTakeFirst();
  if (!row) throw notFound(ABSENT);
  const dataset = await visibleDataset(db, user, row.dataset_id).catch(absentAs(ABSENT));
  if (!mayManage(user, dataset)) throw forbidden(NO_DOWNLOAD);
  return { row, dataset };
}
