import { z } from "zod";
import { exportFormat, segmentationForm } from "../entities/export";
import { id, text } from "../entities/scalars";
import { taskStarted } from "../entities/task";
import { declare } from "./protocol/call";
import { flag, idInPath, idList } from "./protocol/inputs";
import { success } from "./protocol/outputs";

const params = z.object({ id: idInPath });
const title = "Exporting COCO";
const access = "user";

/** Shares of the images in the train, val and test sets, such as "80,10,10"; the sum may be any number. */
const ratios = z
  .string()
  .max(100)
  .regex(/^\s*\d{1,6}(\.\d{1,6})?\s*(,\s*\d{1,6}(\.\d{1,6})?\s*){2}$/, "Three numbers: train,val,test")
  .transform((value) => value.split(",").map(Number) as [number, number, number])
  .refine((shares) => shares.some((share) => share > 0), "At least one share must be above 0");

const content = z.object({
  /** An empty list means all categories. */
  categories: idList,
  /** Includes images without annotations of these categories. */
  with_empty_images: flag,
  /** Leaves out images that are not accepted (marked as done, where the dataset asks for no review). */
  only_accepted: flag,
  /** A folder of the dataset, with its sub-folders; an empty text means the whole dataset. */
  folder: text(1000).optional(),
  segmentation: segmentationForm.optional(),
});

export const exportDataset = declare({
  method: "GET",
  path: "/dataset/{id}/export",
  title,
  access,
  changes: true,
  summary:
    "Start an export; no categories means all. The file is a zip if the format is not COCO, or if it has sets or images",
  params,
  query: content.extend({
    format: exportFormat.optional(),
    /** Includes the image files. */
    with_images: flag,
    split: ratios.optional(),
    /** The same seed splits the same images in the same way. */
    seed: text(100).optional(),
  }),
  output: taskStarted,
});

export const getDatasetCoco = declare({
  method: "GET",
  path: "/dataset/{id}/coco",
  title,
  access,
  summary: "Stream the dataset as COCO",
  params,
  query: content,
});

/** An export in a list. `file_name` is the name for the downloaded file. */
const listed = {
  id,
  ago: z.string(),
  tags: z.array(z.string()),
  created_at: z.string(),
  bytes: z.number(),
  file_name: z.string(),
};

export const listExports = declare({
  method: "GET",
  path: "/dataset/{id}/exports",
  title,
  access,
  summary: "List the newest 50 exports",
  params,
  output: z.array(z.object(listed)),
});

export const getExport = declare({
  method: "GET",
  path: "/export/{id}",
  title,
  access,
  summary: "Get an export",
  params,
  output: z.object({ ...listed, dataset_id: id, categories: z.array(z.json()) }),
});

export const downloadExport = declare({
  method: "GET",
  path: "/export/{id}/download",
  title,
  access,
  summary: "Download an export's file",
  params,
});

export const downloadDatasetExport = declare({
  method: "GET",
  path: "/dataset/{id}/{exportId}",
  title,
  access,
  summary: "Download an export's file, addressed by dataset",
  params: z.object({ id: idInPath, exportId: idInPath }),
});

export const deleteExport = declare({
  method: "DELETE",
  path: "/export/{id}",
  title,
  access,
  summary: "Delete an export and its file",
  params,
  output: success,
});
