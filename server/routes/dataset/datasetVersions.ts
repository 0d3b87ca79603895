import {
  compareVersions,
  createVersion,
  deleteVersion,
  downloadVersion,
  getManifest,
  listVersions,
} from "../../../shared/api/datasets/versions";
import type { Version } from "../../../shared/entities/export";
import { badRequest, forbidden, notFound } from "../../base/errors";
import { isOwner } from "../../base/permissions";
import { managedDataset } from "../../features/access/access";
import { NO_DOWNLOAD } from "../../features/exports/startExport";
import type { Services } from "../../features/services";
import { compareEntries } from "../../features/versions/compareEntries";
import { readEntries } from "../../features/versions/entries";
import { managedVersion, type VersionRow } from "../../features/versions/managedVersion";
import { startVersion } from "../../features/versions/startVersion";
import { filesOf, readVersionFile } from "../../features/versions/versionFiles";
import { setFileName } from "../../middleware/setFileName";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

export const datasetVersionRoutes: Route[] = [
  route(createVersion, async ({ params, body, user, services }) =>
    started(await startVersion(services, user, params.id, body)),
  ),

  route(listVersions, async ({ params, user, services: { db } }) => {
    const dataset = await managedDataset(db, user, params.id, NO_DOWNLOAD);
    const rows = await db
      .selectFrom("versions")
      .selectAll()
      .where("dataset_id", "=", params.id)
      .orderBy("id", "desc")
      .execute();
    return rows.map((row) => listed(row, dataset.name));
  }),

  route(downloadVersion, async ({ params, user, ctx, services: { db, files } }) => {
    const { row, dataset } = await managedVersion(db, user, params.id);
    const file = await readVersionFile(files, row.file);
    if (!file) throw notFound("The version's file is gone.");
    setFileName(ctx, savedAs(row, dataset.name));
    ctx.type = "json";
    ctx.length = row.bytes;
    ctx.body = file;
  }),

  route(getManifest, async ({ params, user, services: { db } }) => {
    const { row, dataset } = await managedVersion(db, user, params.id);
    return { dataset: dataset.name, version: listed(row, dataset.name) };
  }),

  route(compareVersions, async ({ params, user, services }) => {
    const { row: before } = await managedVersion(services.db, user, params.id);
    const { row: after } = await managedVersion(services.db, user, params.otherId);
    if (before.dataset_id !== after.dataset_id) throw badRequest("The versions belong to different datasets.");
    const names = new Map([...before.categories, ...after.categories].map(({ id, name }) => [id, name]));
    const nameOf = (id: number) => names.get(id) ?? String(id);
    return compareEntries(await entriesOf(services, before), await entriesOf(services, after), nameOf);
  }),

  route(deleteVersion, async ({ params, user, services: { db, files } }) => {
    const { row, dataset } = await managedVersion(db, user, params.id);
    if (!isOwner(user, dataset)) throw forbidden("You do not have permission to delete versions");
    await db.deleteFrom("versions").where("id", "=", row.id).execute();
    for (const file of filesOf(row)) await files.transfers.removeExport(file);
    return { success: true };
  }),
];

async function entriesOf({ files }: Services, { entries_file }: VersionRow) {
  const file = await readVersionFile(files, entries_file);
  if (!file) throw notFound("The version's file is gone.");
  return readEntries(file);
}

const listed = (row: VersionRow, datasetName: string): Version => ({
  ...{ id: row.id, name: row.name, note: row.note, creator: row.creator_name },
  created_at: row.created_at.toISOString(),
  ...{ images: row.images, annotations: row.annotations, categories: row.categories },
  ...{ bytes: row.bytes, sha256: row.sha256 },
  file_name: savedAs(row, datasetName),
});

/** Returns the download's name, e.g. "cats-v1.2.json". */
const savedAs = ({ name }: VersionRow, datasetName: string): string => `${datasetName}-${name}.json`;
