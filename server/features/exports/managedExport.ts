import type { Kysely, Selectable } from "kysely";
import { absentAs, forbidden, notFound } from "../../base/errors";
import { type CurrentUser, mayManage } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { type DatasetAccess, visibleDataset } from "../access/access";
import { NO_DOWNLOAD } from "./startExport";

export interface ManagedExport {
  row: Selectable<Schema["exports"]>;
  dataset: DatasetAccess;
}

const ABSENT = "Invalid export ID";

/**
 * Returns an export for its dataset's maintainers, owner and admins. Throws 403 for other members, and 404 if it does
 * not exist or is not of the given dataset.
 */
export async function managedExport(
  db: Kysely<Schema>,
  user: CurrentUser,
  exportId: number,
  datasetId?: number,
): Promise<ManagedExport> {
  const row = await db.selectFrom("exports").selectAll().where("id", "=", exportId).executeTakeFirst();
  if (!row || (datasetId !== undefined && row.dataset_id !== datasetId)) throw notFound(ABSENT);
  const dataset = await visibleDataset(db, user, row.dataset_id).catch(absentAs(ABSENT));
  if (!mayManage(user, dataset)) throw forbidden(NO_DOWNLOAD);
  return { row, dataset };
}
