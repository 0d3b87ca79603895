import {
  assignImages,
  deleteImages,
  getSelection,
  labelImages,
  markImages,
  moveImages,
  restoreImages,
  takeBackImages,
} from "../../../shared/api/datasets/bulk";
import { folderPath } from "../../../shared/rules/folders";
import { badRequest } from "../../base/errors";
import { mayManage, mayReview } from "../../base/permissions";
import { listCategories } from "../../db/rows/categories";
import { editableDataset, managedDataset, visibleCategory, visibleDataset } from "../../features/access/access";
import { assigneesSeen } from "../../features/bulk/assignImages";
import { digestImages, selectImages, selectSeenImages } from "../../features/bulk/selectImages";
import { startChange } from "../../features/bulk/startChange";
import { assignableIds } from "../../features/datasets/membersOf";
import { newImagePath } from "../../files/paths/safePath";
import { type Route, route } from "../http/route";

/** Bulk commands on images. */
export const datasetBulkRoutes: Route[] = [
  route(getSelection, async ({ params, query, user, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    return digestImages(db, dataset.id, query);
  }),

  route(deleteImages, async ({ params, body, user, services }) => {
    const dataset = await managedDataset(services.db, user, params.id, "You do not have permission to delete images");
    const selection = await selectImages(services.db, dataset.id, body);
    const at = new Date().toISOString();
    return startChange(services, user, dataset, { what: "delete", at }, selection);
  }),

  route(restoreImages, async ({ params, body, user, services }) => {
    const dataset = await managedDataset(services.db, user, params.id, "You do not have permission to restore images");
    const at = body.undo;
    return startChange(services, user, dataset, { what: "restore", at }, { deletedAt: at });
  }),

  route(moveImages, async ({ params, body, user, services }) => {
    const dataset = await editableDataset(services.db, user, params.id);
    const folder = folderPath(body.folder);
    // Throws if the folder would make every path invalid.
    newImagePath(folder, "image.jpg");
    const selection = await selectImages(services.db, dataset.id, body);
    return startChange(services, user, dataset, { what: "move", folder }, selection);
  }),

  route(takeBackImages, async ({ params, body, user, services }) => {
    const dataset = await editableDataset(services.db, user, params.id);
    const of = body.undo;
    const rights = { mayReview: mayReview(user, dataset), mayAssign: mayManage(user, dataset) };
    return startChange(services, user, dataset, { what: "takeBack", of, ...rights }, { changedBy: of });
  }),

  route(labelImages, async ({ params, body, user, services: { db, ...services } }) => {
    const dataset = await editableDataset(db, user, params.id);
    const { add, remove } = body;
    for (const id of add) await visibleCategory(db, user, id);
    const selection = await selectImages(db, dataset.id, body);
    if ((await listCategories(db, dataset.id, add)) > 0) services.live.notifyCategories([dataset.id]);
    return startChange({ db, ...services }, user, dataset, { what: "label", add, remove }, selection);
  }),

  route(assignImages, async ({ params, body, user, services }) => {
    const dataset = await managedDataset(services.db, user, params.id, "You do not have permission to assign images");
    const assignable = await assignableIds(services.db, dataset);
    const users = [...new Set(body.users)].map((username) => {
      const id = assignable.get(username);
      if (id === undefined) throw badRequest(`${username} is not a member who may annotate this dataset.`);
      return id;
    });
    const groups = await assigneesSeen(services.db, body.seen ?? []);
    const digest = body.assignees;
    const images = await selectSeenImages(services.db, dataset.id, body, "assignee", { digest, groups });
    const seen = images.seen.map(({ value, ...group }) => ({ user: value, ...group }));
    return startChange(services, user, dataset, { what: "assign", users, seen }, images.selection);
  }),

  route(markImages, async ({ params, body, user, services }) => {
    const dataset = await editableDataset(services.db, user, params.id);
    const { done, stage, stages: digest } = body;
    const groups = (body.seen ?? []).map(({ stage: value, ids }) => ({ value, ids }));
    const images = await selectSeenImages(services.db, dataset.id, body, "stage", { digest, groups });
    const seen = images.seen.map(({ value, ...group }) => ({ stage: value, ...group }));
    const change = { what: "mark" as const, done, stage, seen, mayReview: mayReview(user, dataset) };
    return startChange(services, user, dataset, change, images.selection);
  }),
];
