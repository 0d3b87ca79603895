import { type Kysely, type RawBuilder, sql } from "kysely";
import {
  createDataset as createCall,
  type DatasetOrder,
  deleteDataset,
  getDatasets,
  getOneDataset,
  listDatasets,
  updateDataset as updateCall,
} from "../../../shared/api/datasets/dataset";
import { leaveDataset as leaveCall, shareDataset as shareCall } from "../../../shared/api/datasets/datasetMembers";
import { pageOf } from "../../../shared/api/protocol/pageOf";
import { badRequest, notFound } from "../../base/errors";
import { type CurrentUser, datasetPermissions } from "../../base/permissions";
import { containsText } from "../../db/rows/containsText";
import { isLiveImage } from "../../db/rows/images";
import type { Schema } from "../../db/schema";
import { categoriesSeenBy, datasetsSeenBy, ownedDataset } from "../../features/access/access";
import { categoryDocument } from "../../features/categories/categoryDocument";
import { isListedFor, isWithCopies } from "../../features/consensus/copies/copies";
import { createDataset } from "../../features/datasets/createDataset";
import { datasetDocument, datasetsWithNames, tiesOf } from "../../features/datasets/datasetDocument";
import { leaveDataset } from "../../features/datasets/leaveDataset";
import { shareDataset } from "../../features/datasets/shareDataset";
import { updateDataset } from "../../features/datasets/updateDataset";
import { imageTotals } from "../../features/images/imageTotals";
import { stageCounts } from "../../features/images/stageCounts";
import { type Route, route } from "../http/route";

const NAME_REQUIRED = "Dataset name is required";

const firstImage = sql<number | null>`(
  select id from images where dataset_id = datasets.id and ${isLiveImage()} order by dataset_id, id limit 1)`;

const editor = sql<string | null>`(select username from users where users.id = datasets.edited_by)`;

const ORDERS: Record<DatasetOrder, RawBuilder<unknown>> = {
  id: sql`datasets.id`,
  name: sql`sort_key(datasets.name), datasets.id`,
  "-edited": sql`coalesce(datasets.edited_at, datasets.created_at) desc, datasets.id desc`,
};

export const datasetRoutes: Route[] = [
  route(listDatasets, async ({ user, services: { db } }) => {
    const rows = await datasetsWithNames(db, user).where(isListedFor(user)).orderBy("datasets.id").execute();
    return rows.map(datasetDocument);
  }),

  route(createCall, async ({ query, body, user, services: { db, files } }) => {
    const name = query.name ?? body.name;
    if (name === undefined) throw badRequest(NAME_REQUIRED, { name: NAME_REQUIRED });
    return documentOf(db, user, await createDataset(db, files, user, name, body.categories ?? []));
  }),

  route(getOneDataset, async ({ params, user, services: { db } }) => documentOf(db, user, params.id)),

  route(getDatasets, async ({ query, user, services: { db } }) => {
    const { search = "" } = query;
    const isFound = containsText("datasets.name", search);
    const { total } = await datasetsSeenBy(db, user)
      .where(isListedFor(user))
      .$if(search !== "", (seen) => seen.where(isFound))
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const pagination = pageOf(query.page, query.limit, total);
    const rows = await datasetsWithNames(db, user)
      .where(isListedFor(user))
      .$if(search !== "", (seen) => seen.where(isFound))
      .select([firstImage.as("first"), editor.as("editor")])
      .orderBy(ORDERS[query.order])
      .offset(pagination.start)
      .limit(query.limit)
      .execute();
    const totals = await imageTotals(
      db,
      rows.map(({ id }) => id),
    );
    const stages = await stageCounts(db, rows);
    const categories = await categoriesSeenBy(db, user).selectAll("categories").orderBy("id").execute();
    return {
      pagination,
      folder: query.folder ?? "",
      datasets: rows.map((row) => ({
        ...datasetDocument(row),
        numberImages: totals.get(row.id)?.images ?? 0,
        numberAnnotated: totals.get(row.id)?.annotated ?? 0,
        stages: stages.get(row.id) ?? null,
        first_image_id: row.first,
        edited_at: row.edited_at?.toISOString() ?? null,
        edited_by: row.editor,
        permissions: datasetPermissions(user, tiesOf(row)),
      })),
      categories: categories.map(categoryDocument),
      subdirectories: [],
    };
  }),

  route(updateCall, async ({ params, body, user, services }) => {
    await updateDataset(services, user, params.id, body);
    return { success: true };
  }),

  route(shareCall, async ({ params, body, user, services }) => {
    await shareDataset(services, user, params.id, body);
    return { success: true };
  }),

  route(leaveCall, async ({ params, user, services }) => {
    await leaveDataset(services, user, params.id);
    return { success: true };
  }),

  route(deleteDataset, async ({ params, user, services: { db } }) => {
    await ownedDataset(db, user, params.id, "You do not have permission to delete the dataset");
    await db
      .updateTable("datasets")
      .set({ deleted_at: new Date(), deleted_by: user.id })
      .where(isWithCopies(params.id))
      .where("deleted_at", "is", null)
      .execute();
    return { success: true };
  }),
];

async function documentOf(db: Kysely<Schema>, user: CurrentUser, id: number) {
  const row = await datasetsWithNames(db, user).where("datasets.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("Invalid dataset id");
  return { ...datasetDocument(row), permissions: datasetPermissions(user, tiesOf(row)) };
}
