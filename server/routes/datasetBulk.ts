import {
  deleteImages,
  labelImages,
  markImages,
  moveImages,
  restoreImages,
  takeBackImages,
} from "../../shared/api/bulk";
import type { ImageFilter } from "../../shared/api/dataset";
import { ownedDataset, visibleCategory, visibleDataset } from "../actions/access";
import type { Selection } from "../actions/bulk/change";
import { startChange } from "../actions/bulk/startChange";
import { folderPath, newPicturePath } from "../files/safePath";
import { type Route, route } from "./route";

/** Changes of many pictures at once. */
export const datasetBulkRoutes: Route[] = [
  route(deleteImages, async ({ params, body, person, services }) => {
    const dataset = await ownedDataset(services.db, person, params.id, "You do not have permission to delete images");
    const at = new Date().toISOString();
    return startChange(services, person, dataset, { what: "delete", at }, selectionOf(body));
  }),

  route(restoreImages, async ({ params, body, person, services }) => {
    const dataset = await ownedDataset(services.db, person, params.id, "You do not have permission to restore images");
    const at = body.undo;
    return startChange(services, person, dataset, { what: "restore", at }, { deletedAt: at });
  }),

  route(moveImages, async ({ params, body, person, services }) => {
    const dataset = await visibleDataset(services.db, person, params.id);
    const folder = folderPath(body.folder);
    // Throws what would be wrong with each of the paths.
    newPicturePath(folder, "picture.jpg");
    return startChange(services, person, dataset, { what: "move", folder }, selectionOf(body));
  }),

  route(takeBackImages, async ({ params, body, person, services }) => {
    const dataset = await visibleDataset(services.db, person, params.id);
    const of = body.undo;
    return startChange(services, person, dataset, { what: "takeBack", of }, { changedBy: of });
  }),

  route(labelImages, async ({ params, body, person, services: { db, ...services } }) => {
    const dataset = await visibleDataset(db, person, params.id);
    const { add, remove } = body;
    for (const id of add) await visibleCategory(db, person, id);
    if (add.length > 0)
      await db
        .insertInto("dataset_categories")
        .values(add.map((category_id) => ({ dataset_id: dataset.id, category_id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return startChange({ db, ...services }, person, dataset, { what: "label", add, remove }, selectionOf(body));
  }),

  route(markImages, async ({ params, body, person, services }) => {
    const dataset = await visibleDataset(services.db, person, params.id);
    return startChange(services, person, dataset, { what: "mark", done: body.done }, selectionOf(body));
  }),
];

interface Which {
  ids?: number[] | undefined;
  filter?: Omit<ImageFilter, "order"> | undefined;
  except?: number[] | undefined;
}

/** The declaration has seen to it that it is one of the two. */
const selectionOf = ({ ids = [], filter, except = [] }: Which): Selection => (filter ? { filter, except } : { ids });
