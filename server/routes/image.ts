import { copyAnnotations as copyCall, deleteImage, getImage, listImages, uploadImage } from "../../shared/api/image";
import { THUMBNAIL_WIDTH } from "../../shared/constants";
import type { Image } from "../../shared/entities/image";
import { absentAs, badRequest, forbidden, imageNotFound } from "../base/errors";
import { mayManage } from "../base/permissions";
import { isLiveImage } from "../db/rows/images";
import { datasetsSeenBy, editableDataset, visibleImage } from "../features/access/access";
import { copyAnnotations } from "../features/annotations/copyAnnotations";
import { notifyRaisedImages } from "../features/bulk/bulkWrite";
import { addUpload } from "../features/images/addImage";
import { imageDocument, imagesWithCategories } from "../features/images/imageDocument";
import { imageTotals } from "../features/images/imageTotals";
import { noteActivity } from "../features/images/noteActivity";
import { invalidateCachedFigures } from "../features/images/staleWhileRevalidate";
import { fileNameOf, newImagePath } from "../files/paths/safePath";
import { type Route, route } from "./http/route";
import { sendStored, sendView } from "./http/sendImage";

export const imageRoutes: Route[] = [
  route(listImages, async ({ query, user, services: { db, live } }) => {
    const { page, per_page } = query;
    const seen = datasetsSeenBy(db, user).select("datasets.id");
    const datasets = await seen.execute();
    const totals = await imageTotals(
      db,
      datasets.map(({ id }) => id),
    );
    const total = [...totals.values()].reduce((sum, { images }) => sum + images, 0);
    const rows = await imagesWithCategories(db)
      .where(isLiveImage())
      .where("images.dataset_id", "in", seen)
      .orderBy("images.id")
      .offset((page - 1) * per_page)
      .limit(per_page)
      .execute();
    const fields = fieldsOf(query.fields);
    return {
      total,
      pages: Math.max(1, Math.ceil(total / per_page)),
      page: page - 1,
      per_page,
      fields,
      images: rows.map((row) => pick({ ...imageDocument(row), annotating: live.annotating(row.id) }, fields)),
    };
  }),

  route(uploadImage, async ({ query, body, files, user, services }) => {
    const { db, files: stored } = services;
    const datasetId = body.dataset_id ?? query.dataset_id;
    if (datasetId === undefined) throw badRequest("dataset_id is missing.", { dataset_id: "Required" });
    const dataset = await editableDataset(db, user, datasetId).catch(absentAs("dataset does not exist"));
    const [file] = files;
    if (!file) throw badRequest("No file was sent.", { image: "Missing an uploaded file" });
    const path = newImagePath(body.folder, fileNameOf(file.name));
    const { id } = await addUpload({ db, images: stored.images, dataset }, user.id, path, file.path);
    return id;
  }),

  route(getImage, async ({ params, query, user, ctx, services: { db, files } }) => {
    const { image, dataset } = await visibleImage(db, user, params.id);
    const source = { ...image, folder: dataset.folder };
    const { width = query.thumbnail ? THUMBNAIL_WIDTH : undefined, height } = query;
    const asAttachment = query.asAttachment ?? false;
    if (!query.original && (width || height))
      return sendView(ctx, files.images, source, { width, height }, asAttachment);
    if (query.original || asAttachment || (await files.images.isShownAsStored(source)))
      return sendStored(ctx, files.images, source, asAttachment);
    return sendView(ctx, files.images, source, "full", asAttachment);
  }),

  route(deleteImage, async ({ params, user, services: { db, live } }) => {
    const { image, dataset } = await visibleImage(db, user, params.id);
    if (!mayManage(user, dataset)) throw forbidden("You do not have permission to delete the image");
    const { numUpdatedRows } = await db
      .updateTable("images")
      .set({ deleted_at: new Date(), deleted_by: user.id })
      .where("id", "=", image.id)
      .where(isLiveImage())
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw imageNotFound();
    invalidateCachedFigures(db, dataset.id);
    await noteActivity(db, user.id, [dataset.id]);
    notifyRaisedImages(live, [image]);
    return { success: true };
  }),

  route(copyCall, async ({ params, body, user, services }) => ({
    annotations_created: await copyAnnotations(services, user, { ...params, ...body }),
  })),
];

/** Returns the requested fields in order; an empty list means all. */
function fieldsOf(list = ""): string[] {
  return list
    .split(",")
    .map((field) => field.trim())
    .filter(Boolean);
}

function pick(image: Image, fields: string[]): Partial<Image> & { id: number } {
  if (fields.length === 0) return image;
  const wanted = Object.entries(image).filter(([key]) => key === "id" || fields.includes(key));
  return { ...Object.fromEntries(wanted), id: image.id };
}
