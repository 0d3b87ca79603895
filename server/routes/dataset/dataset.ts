import { type Kysely, sql } from "kysely";
import {
  createDataset as createCall,
  deleteDataset,
  getDatasets,
  getOneDataset,
  listDatasets,
  shareDataset as shareCall,
  updateDataset as updateCall,
} from "../../../shared/api/dataset";
import { badRequest, notFound } from "../../base/errors";
import { datasetPermissions, type Person } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { categoriesSeenBy, datasetsSeenBy, ownedDataset } from "../../features/access/access";
import { categoryDocument } from "../../features/categories/categoryDocument";
import { createDataset } from "../../features/datasets/createDataset";
import { datasetDocument, datasetsWithNames, tiesOf } from "../../features/datasets/datasetDocument";
import { shareDataset } from "../../features/datasets/shareDataset";
import { updateDataset } from "../../features/datasets/updateDataset";
import { imageTotals } from "../../features/images/imageTotals";
import { pageOf } from "../http/pageOf";
import { type Route, route } from "../http/route";

const NAME_REQUIRED = "Dataset name is required";

const firstImage = sql<number | null>`(
  select id from images where dataset_id = datasets.id and deleted_at is null order by dataset_id, id limit 1)`;

export const datasetRoutes: Route[] = [
  route(listDatasets, async ({ person, services: { db } }) => {
    const rows = await datasetsWithNames(db, person).orderBy("datasets.id").execute();
    return rows.map(datasetDocument);
  }),

  route(createCall, async ({ query, body, person, services: { db, files } }) => {
    const name = query.name ?? body.name;
    if (name === undefined) throw badRequest(NAME_REQUIRED, { name: NAME_REQUIRED });
    return documentOf(db, person, await createDataset(db, files, person, name, body.categories ?? []));
  }),

  route(getOneDataset, async ({ params, person, services: { db } }) => documentOf(db, person, params.id)),

  route(getDatasets, async ({ query, person, services: { db } }) => {
    const { total } = await datasetsSeenBy(db, person)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const pagination = pageOf(query.page, query.limit, total);
    const rows = await datasetsWithNames(db, person)
      .select(firstImage.as("first"))
      .orderBy("datasets.id")
      .offset(pagination.start)
      .limit(query.limit)
      .execute();
    const totals = await imageTotals(
      db,
      rows.map(({ id }) => id),
    );
    const categories = await categoriesSeenBy(db, person).selectAll("categories").orderBy("id").execute();
    return {
      pagination,
      folder: query.folder ?? "",
      datasets: rows.map((row) => ({
        ...datasetDocument(row),
        numberImages: totals.get(row.id)?.images ?? 0,
        numberAnnotated: totals.get(row.id)?.annotated ?? 0,
        first_image_id: row.first,
        permissions: datasetPermissions(person, tiesOf(row)),
      })),
      categories: categories.map(categoryDocument),
      subdirectories: [],
    };
  }),

  route(updateCall, async ({ params, body, person, services }) => {
    await updateDataset(services, person, params.id, body);
    return { success: true };
  }),

  route(shareCall, async ({ params, body, person, services }) => {
    await shareDataset(services, person, params.id, body);
    return { success: true };
  }),

  route(deleteDataset, async ({ params, person, services: { db } }) => {
    await ownedDataset(db, person, params.id, "You do not have permission to delete the dataset");
    await db
      .updateTable("datasets")
      .set({ deleted_at: new Date(), deleted_by: person.id })
      .where("id", "=", params.id)
      .where("deleted_at", "is", null)
      .execute();
    return { success: true };
  }),
];

async function documentOf(db: Kysely<Schema>, person: Person, id: number) {
  const row = await datasetsWithNames(db, person).where("datasets.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("Invalid dataset id");
  return { ...datasetDocument(row), permissions: datasetPermissions(person, tiesOf(row)) };
}
