import { z } from "zod";
import { MAX_CATEGORIES } from "../../constants";
import { category } from "../../entities/category";
import { dataset, datasetCard, datasetName, datasetPermissions, queueOrder } from "../../entities/dataset";
import { id, metadata, text } from "../../entities/scalars";
import { statistics } from "../../entities/statistics";
import { declare } from "../protocol/call";
import { idInPath, limit, page, search } from "../protocol/inputs";
import { pagination, success } from "../protocol/outputs";

const params = z.object({ id: idInPath });
/** Category names; categories that do not exist are created for the caller. */
const categoryNames = z.array(text(200)).max(MAX_CATEGORIES);

const datasetOrder = z.enum(["id", "name", "-edited"]);
export type DatasetOrder = z.output<typeof datasetOrder>;

export const listDatasets = declare({
  method: "GET",
  path: "/dataset/",
  title: "Loading Datasets",
  access: "user",
  summary: "List all datasets that the caller may see",
  output: z.array(dataset),
});

export const createDataset = declare({
  method: "POST",
  path: "/dataset/",
  title: "Creating Dataset",
  access: "user",
  summary: "Create a dataset; `name` in the query or in the body; 409 if the caller has a dataset of this name",
  query: z.object({ name: datasetName.optional() }),
  body: z.object({ name: datasetName.optional(), categories: categoryNames.nullish() }),
  output: dataset.extend({ permissions: datasetPermissions }),
});

/** Gets a dataset without its images, which `getDataset` returns in pages. */
export const getOneDataset = declare({
  method: "GET",
  path: "/dataset/{id}",
  title: "Loading Dataset",
  access: "user",
  summary: "Get a dataset and what the caller may do with it",
  params,
  output: dataset.extend({ permissions: datasetPermissions }),
});

export const getDatasets = declare({
  method: "GET",
  path: "/dataset/data",
  title: "Loading Datasets",
  access: "user",
  summary: "Get a page of dataset cards",
  query: z.object({
    page,
    limit: limit(52),
    folder: z.string().max(1000).optional(),
    search,
    /** `-edited`: the last changed first; datasets without a change by the time of their creation. */
    order: datasetOrder.default("id"),
  }),
  output: z.object({
    pagination,
    folder: z.string(),
    datasets: z.array(datasetCard),
    categories: z.array(category),
    subdirectories: z.array(z.string()),
  }),
});

export const updateDataset = declare({
  method: "POST",
  path: "/dataset/{id}",
  title: "Updating Dataset",
  access: "user",
  summary:
    "Change default categories and default annotation metadata (and, for maintainers, name, annotate URL, review and queue): send the whole list, or only additions and removals",
  params,
  body: z
    .object({
      /** The new name; the dataset's folder keeps the old one. */
      name: datasetName.optional(),
      /** Replaces the whole list. */
      categories: categoryNames.nullish(),
      add_categories: categoryNames.optional(),
      /** Names that are not in the list are ignored. */
      remove_categories: categoryNames.optional(),
      /** Ids of categories, whatever they are called by now; those that are not in the list are ignored. */
      remove_category_ids: z.array(id).max(MAX_CATEGORIES).optional(),
      /** Replaces all entries. */
      default_annotation_metadata: metadata.nullish(),
      set_default_metadata: metadata.optional(),
      /** Keys to remove. */
      remove_default_metadata: z.array(z.string()).max(10_000).optional(),
      annotate_url: text(2000).nullish(),
      /** True to ask for a review of images that are marked as done. */
      review: z.boolean().optional(),
      queue_order: queueOrder.optional(),
      queue_assigned_only: z.boolean().optional(),
    })
    .refine(
      ({ categories, ...change }) =>
        !categories || (!change.add_categories && !change.remove_categories && !change.remove_category_ids),
      { message: "Send categories, or additions and removals", path: ["categories"] },
    )
    .refine(
      (body) => !body.default_annotation_metadata || (!body.set_default_metadata && !body.remove_default_metadata),
      {
        message: "Send default_annotation_metadata, or set_default_metadata and remove_default_metadata",
        path: ["default_annotation_metadata"],
      },
    ),
  output: success,
});

export const getStatistics = declare({
  method: "GET",
  path: "/dataset/{id}/stats",
  title: "Loading Statistics",
  access: "user",
  summary: "Get statistics of a dataset's annotations",
  params,
  output: statistics,
});

const resetting = {
  path: "/dataset/{id}/reset/metadata",
  title: "Resetting Metadata",
  access: "user",
  summary: "Reset the metadata of all annotations to the dataset's default, and remove that of all images",
  params,
  output: success,
} as const;

export const resetMetadata = declare({ method: "POST", ...resetting });

/** The same call by GET, for older scripts and clients. */
export const resetMetadataByGet = declare({ method: "GET", changes: true, ...resetting });

export const deleteDataset = declare({
  method: "DELETE",
  path: "/dataset/{id}",
  title: "Deleting Dataset",
  access: "user",
  summary: "Move a dataset to the trash",
  params,
  output: success,
});
