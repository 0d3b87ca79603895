import { z } from "zod";
import { clientId } from "../edits/edit";
import { category, categoryInput } from "../entities/category";
import { id, metadata } from "../entities/scalars";
import { declare } from "./protocol/call";
import { idInPath, limit, page, search } from "./protocol/inputs";
import { pagination, success } from "./protocol/outputs";

const params = z.object({ id: idInPath });
const permissions = z.object({ edit: z.boolean(), delete: z.boolean() });

export const listCategories = declare({
  method: "GET",
  path: "/category/",
  title: "Loading Categories",
  access: "user",
  summary: "List all categories that the caller may see",
  /** `permissions`: absent without the server, in answers from copies in the browser. */
  output: z.array(category.extend({ permissions: permissions.optional() })),
});

export const getCategories = declare({
  method: "GET",
  path: "/category/data",
  title: "Loading Categories",
  access: "user",
  summary: "Get a page of categories with the number of their annotations",
  query: z.object({ page, limit: limit(50), search }),
  output: z.object({
    pagination,
    page: z.number(),
    categories: z.array(
      category.extend({
        /** Number of annotations in all datasets. */
        numberAnnotations: z.number(),
        permissions,
      }),
    ),
  }),
});

export const getCategory = declare({
  method: "GET",
  path: "/category/{id}",
  title: "Loading Categories",
  access: "user",
  summary: "Get a category",
  params,
  output: category,
});

export const createCategory = declare({
  method: "POST",
  path: "/category/",
  title: "Creating Category",
  access: "user",
  summary: "Create a category",
  body: categoryInput.extend({
    /**
     * An id from `POST /category/ids`, for a category created offline. A repeated call returns the same category. If
     * the user already has a category of this name, a number is appended to the new name: annotations already refer to
     * the new id.
     */
    reserved: id.nullish(),
    /** User who created the category offline. If another user is logged in, the call fails with 401. */
    user: id.nullish(),
    /** Also adds the category to this dataset, if the caller may see it. */
    dataset: id.nullish(),
  }),
  output: category,
});

export const reserveCategoryIds = declare({
  method: "POST",
  path: "/category/ids",
  title: "Reserving Category Ids",
  access: "user",
  summary: "Reserve ids for categories that a client will create offline",
  body: z.object({ count: z.int().min(1).max(50) }),
  output: z.object({ ids: z.array(id) }),
});

export const updateCategory = declare({
  method: "PUT",
  path: "/category/{id}",
  title: "Updating Category",
  access: "user",
  summary: "Change a category; absent fields stay as they are",
  params,
  body: categoryInput
    .partial()
    .extend({
      /** Entries of the metadata to set; all others stay. */
      set_metadata: metadata.optional(),
      /** Keys of the metadata to remove. */
      remove_metadata: z.array(z.string()).max(10_000).optional(),
      /**
       * Stable ids of `keypoint_labels`, in the same order, null for new labels; without them, labels are identified by
       * their names.
       */
      label_ids: z.array(z.int().min(1).nullable()).max(1000).optional(),
      /**
       * The keypoint definition that the change is based on: if the category has a different one by now, nothing is
       * changed (409).
       */
      keypoints_before: category
        .pick({ keypoint_labels: true, keypoint_edges: true, keypoint_colors: true, keypoint_label_ids: true })
        .nullish(),
      /** The attributes that the change is based on: if the category has others by now, nothing is changed (409). */
      attributes_before: category.shape.attributes.nullish(),
      /** Id of the client, which ignores the `categories` event. */
      client: clientId.optional(),
    })
    .refine((body) => !body.metadata || (!body.set_metadata && !body.remove_metadata), {
      message: "Send metadata, or set_metadata and remove_metadata",
      path: ["metadata"],
    }),
  output: z.object({ success: z.literal(true), message: z.string().optional(), category }),
});

export const deleteCategory = declare({
  method: "DELETE",
  path: "/category/{id}",
  title: "Deleting Category",
  access: "user",
  summary: "Move a category to the trash",
  params,
  output: success,
});
