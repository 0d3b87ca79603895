import { sql } from "kysely";
import { getDataset, scanDataset, uploadToDataset } from "../../../shared/api/datasets/datasetImages";
import { getOutlines } from "../../../shared/api/datasets/outlines";
import type { Category } from "../../../shared/entities/category";
import { folderOf, folderPath } from "../../../shared/rules/folders";
import { summaryOf } from "../../../shared/rules/summaryOf";
import { badRequest, HttpError, notFound } from "../../base/errors";
import { type CurrentUser, datasetPermissions, mayManage } from "../../base/permissions";
import { preparedStatement } from "../../db/preparedStatements";
import { isLiveCategory } from "../../db/rows/categories";
import { transaction } from "../../db/transaction";
import { editableDataset, visibleDataset } from "../../features/access/access";
import { hasConsensus } from "../../features/consensus/copies/copies";
import { datasetDocument, datasetsWithNames, tiesOf } from "../../features/datasets/datasetDocument";
import { addUpload } from "../../features/images/addImage";
import { countImages, imagePage, subfolders } from "../../features/images/imageList";
import { stageCounts } from "../../features/images/stageCounts";
import { outlinesOf } from "../../features/outlines/outlinesOf";
import type { Services } from "../../features/services";
import { fileNameOf, newImagePath, shown } from "../../files/paths/safePath";
import { enqueue } from "../../queue/queue";
import { isNotModified } from "../http/isNotModified";
import { JsonPieces } from "../http/jsonText";
import { type Route, route, type UploadedFile } from "../http/route";
import { started } from "../http/started";

/** Routes for a dataset's images: list them, scan for new ones, upload some. */
export const datasetImageRoutes: Route[] = [
  route(getDataset, async ({ params, query, user, services: { db, live } }) => {
    const start = performance.now();
    const { page, limit, ...filter } = query;
    const row = await datasetsWithNames(db, user)
      .select(categoriesOfDataset.as("badges"))
      .where("datasets.id", "=", params.id)
      .modifyEnd(preparedStatement)
      .executeTakeFirst();
    if (!row) throw notFound("Invalid dataset id");
    const folder = folderPath(filter.folder);
    const { total, rows } = await imagePage(db, row.id, filter, { offset: (page - 1) * limit, limit });
    const document = datasetDocument(row);
    return {
      total,
      per_page: limit,
      pages: Math.max(1, Math.ceil(total / limit)),
      page: page - 1,
      images: rows.map((row) => ({ ...summaryOf(row), annotating: live.annotating(row.id) })),
      folder,
      directory: document.directory + folder,
      dataset: {
        ...document,
        permissions: datasetPermissions(user, tiesOf(row)),
        ...(mayManage(user, tiesOf(row)) && { has_consensus: await hasConsensus(db, row.id) }),
        numberImages: await countImages(db, row.id, { folder: "" }),
        stages: (await stageCounts(db, [row])).get(row.id) ?? null,
      },
      categories: row.badges,
      subdirectories: await subfolders(db, row.id, folder),
      time_ms: Math.round(performance.now() - start),
    };
  }),

  route(getOutlines, async ({ params, query, user, ctx, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    const { tag, json } = await outlinesOf(db, dataset.id, query.ids ?? []);
    return isNotModified(ctx, `W/"${tag}"`) ? undefined : new JsonPieces(json());
  }),

  route(scanDataset, async ({ params, user, services }) => {
    const dataset = await editableDataset(services.db, user, params.id);
    return startTask(services, {
      kind: "scan",
      name: `Scanning ${dataset.name} for new images`,
      key: `scan:${dataset.id}`,
      payload: { dataset_id: dataset.id },
      creatorId: user.id,
      datasetId: dataset.id,
    });
  }),

  route(uploadToDataset, async ({ params, body, files, user, services }) => {
    const dataset = await editableDataset(services.db, user, params.id);
    const paths = body.paths === undefined ? files.map(({ name }) => fileNameOf(name)) : [body.paths].flat();
    if (paths.length !== files.length) throw badRequest("Send as many paths as files.");
    const uploaded: UploadOutcome[] = [];
    for (const [i, file] of files.entries()) {
      const path = folderPath(body.folder) + (paths[i] ?? "");
      uploaded.push(await addFile(services, user, dataset, path, file).catch((error) => refused(path, error)));
    }
    return { files: uploaded };
  }),
];

type Badge = Pick<Category, "id" | "name" | "color">;

const categoriesOfDataset = sql<Badge[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'color', color) order by id), '[]')
  from categories join dataset_categories on category_id = id
  where dataset_id = datasets.id and ${isLiveCategory()})`;

async function startTask({ db, wakeRunner }: Services, task: Parameters<typeof enqueue>[1]) {
  const queued = await transaction(db, (trx) => enqueue(trx, task));
  wakeRunner();
  return started(queued);
}

interface UploadOutcome {
  path: string;
  status: "added" | "known" | "restored" | "refused" | "task";
  id: number | null;
  message: string | null;
}

interface Target {
  id: number;
  name: string;
  folder: string;
}

async function addFile(
  services: Services,
  user: CurrentUser,
  dataset: Target,
  wanted: string,
  file: UploadedFile,
): Promise<UploadOutcome> {
  const { db, files } = services;
  const path = newImagePath(folderOf(wanted), fileNameOf(wanted));
  if (await files.images.isZip(file.path)) {
    const id = await startUnpacking(services, user, dataset, path, file);
    return { path, status: "task", id, message: null };
  }
  const { id, status } = await addUpload({ db, images: files.images, dataset }, user.id, path, file.path);
  return { path, status, id, message: null };
}

async function startUnpacking(
  services: Services,
  user: CurrentUser,
  dataset: Target,
  path: string,
  file: UploadedFile,
): Promise<number> {
  const { images } = services.files;
  const zip = await images.keepZip(file.path);
  const name = fileNameOf(path);
  const task = {
    kind: "upload",
    name: `Adding the images of ${name} to ${dataset.name}`,
    key: `upload:${zip}`,
    payload: { dataset_id: dataset.id, folder: folderOf(path), zip, name },
    creatorId: user.id,
    datasetId: dataset.id,
  };
  const { id } = await startTask(services, task).catch(async (error) => {
    await images.dropZip(zip);
    throw error;
  });
  return id;
}

/** Returns the outcome of a refused file. Rethrows server errors (full disk, lost database), which affect all files. */
function refused(path: string, error: unknown): UploadOutcome {
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  return { path: shown(path), status: "refused", id: null, message: error.message };
}
