import type { Kysely, Selectable } from "kysely";
import { absentAs, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, isOwner } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { type DatasetAccess, visibleDataset } from "../access/access";
import { NO_DOWNLOAD } from "../exports/startExport";

export type VersionRow = Selectable<Schema["versions"]>;

export interface OwnedVersion {
  row: VersionRow;
  dataset: DatasetAccess;
}

const ABSENT = "Invalid version ID";

/** Returns a version for its dataset's owner and admins. Throws 403 for members, and 404 if it does not exist. */
export async function ownedVersion(db: Kysely<Schema>, user: CurrentUser, versionId: number): Promise<OwnedVersion> {
  const row = await db.selectFrom("versions").selectAll().where("id", "=", versionId).executeTakeFirst();
  if (!row) throw notFound(ABSENT);
  const dataset = await visibleDataset(db, user, row.dataset_id).catch(absentAs(ABSENT));
  if (!isOwner(user, dataset)) throw forbidden(NO_DOWNLOAD);
  return { row, dataset };
}
