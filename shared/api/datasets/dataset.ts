import { z } from "zod";
import { GENERATE_LIMIT, MAX_CATEGORIES } from "../../constants";
import { category } from "../../entities/category";
import { dataset, datasetCard, datasetName, datasetPermissions, queueOrder, stageCounts } from "../../entities/dataset";
import { imageSummary, STAGES } from "../../entities/image";
import { member, memberRole } from "../../entities/member";
import { id, metadata, text } from "../../entities/scalars";
import { statistics } from "../../entities/statistics";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { flag, folderPath, idInPath, idList, limit, page, search } from "../protocol/inputs";
import { pagination, success } from "../protocol/outputs";

const params = z.object({ id: idInPath });
const usernames = z.array(text(100)).max(10_000);
/** Category names; categories that do not exist are created for the caller. */
const categoryNames = z.array(text(200)).max(MAX_CATEGORIES);

/** One of two kinds; absent means both. Older clients send a single blank if they want neither; it means "none". */
const kind = z.union([z.enum([" ", "none"]).transform(() => "none" as const), ...flag.unwrap().options]).optional();

/** Stages by which lists are filtered: those that are stored, and the two kinds of open images. */
export const LISTED_STAGES = [...STAGES, "new", "annotating"] as const;
export type ListedStage = (typeof LISTED_STAGES)[number];
const isListedStage = (name: string): name is ListedStage => LISTED_STAGES.some((stage) => stage === name);
const stagesText = `Stages are ${LISTED_STAGES.join(", ")}`;

/** A list of stages, separated by commas; absent or empty means all. */
const stageList = z
  .union([
    z.array(z.enum(LISTED_STAGES)),
    z
      .string()
      .max(100)
      .transform((list) =>
        list
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean),
      )
      .refine((names) => names.every(isListedStage), stagesText)
      .transform((names) => names.filter(isListedStage)),
  ])
  .optional();

/** Filters, order and folder of a dataset's images. */
export const imageFilter = z.object({
  folder: folderPath,
  file_name__icontains: text(1000).optional(),
  annotated: kind,
  /** Filters images by whether they are marked as done. */
  done: kind,
  stage: stageList,
  /** `open`: only images with threads of comments that are not resolved. */
  comments: z.enum(["open"]).optional(),
  /** Username of the user to whom the images are assigned. */
  assignee: text(100).optional(),
  /** True for images that are assigned to a user, false for the others. */
  assigned: flag,
  /** Filters only the annotated images, as older servers do: images without annotations are still listed. */
  category_ids__in: idList,
  /** Filters images without annotations by category too: they are listed only if one of the categories is a label. */
  strict_categories: flag,
  /** file_name, id or path; a leading `-` reverses the order. */
  order: z
    .string()
    .regex(/^-?(file_name|id|path)$/, "Order is file_name, id or path")
    .default("file_name"),
});
export type ImageFilter = z.output<typeof imageFilter>;

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

export const getDataset = declare({
  method: "GET",
  path: "/dataset/{id}/data",
  title: "Loading Dataset",
  access: "user",
  summary: "Get a page of a dataset's images",
  params,
  query: imageFilter.extend({ page, limit: limit(52) }),
  output: z.object({
    total: z.number(),
    per_page: z.number(),
    pages: z.number(),
    /** Zero-based, as older scripts expect. */
    page: z.number(),
    images: z.array(imageSummary),
    folder: z.string(),
    directory: z.string(),
    dataset: dataset.extend({
      permissions: datasetPermissions,
      numberImages: z.number(),
      /** Null as in dataset cards. */
      stages: stageCounts.nullable(),
      /** True if images were given to several annotators, or their truth is known; absent for those below maintainers. */
      has_consensus: z.boolean().optional(),
    }),
    categories: z.array(z.object({ id, name: z.string(), color: z.string() })),
    /** Direct sub-folders that have images. */
    subdirectories: z.array(z.string()),
    time_ms: z.number(),
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
    .refine((body) => !body.categories || (!body.add_categories && !body.remove_categories), {
      message: "Send categories, or add_categories and remove_categories",
      path: ["categories"],
    })
    .refine(
      (body) => !body.default_annotation_metadata || (!body.set_default_metadata && !body.remove_default_metadata),
      {
        message: "Send default_annotation_metadata, or set_default_metadata and remove_default_metadata",
        path: ["default_annotation_metadata"],
      },
    ),
  output: success,
});

export const shareDataset = declare({
  method: "POST",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary:
    "Set the users a dataset is shared with: `users` replaces the list, `add` and `remove` change it; `roles` sets roles by username",
  params,
  body: z
    .object({
      users: usernames.optional(),
      add: usernames.optional(),
      remove: usernames.optional(),
      /** Members who are not named keep their roles, and new members become annotators. */
      roles: z.record(text(100), memberRole).optional(),
    })
    .refine(({ users, add, remove }) => users === undefined || (add === undefined && remove === undefined), {
      message: "Send users, or add and remove",
      path: ["users"],
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: "Send users, or add, remove and roles",
      path: ["users"],
    }),
  output: success,
});

export const leaveDataset = declare({
  method: "POST",
  path: "/dataset/{id}/leave",
  title: "Leaving Dataset",
  access: "user",
  summary: "End your membership of a dataset; 400 if you are its owner or no member",
  params,
  output: success,
});

export const findPossibleMembers = declare({
  method: "GET",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary: "Find usernames that begin with `begin` and that the dataset is not yet shared with, at most ten",
  params,
  query: z.object({ begin: text(100).min(1) }),
  output: z.array(z.string()),
});

export const listMembers = declare({
  method: "GET",
  path: "/dataset/{id}/users",
  title: "Loading Members",
  access: "user",
  summary: "List a dataset's owner and members",
  params,
  output: z.array(member),
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

export const scanDataset = declare({
  method: "GET",
  path: "/dataset/{id}/scan",
  title: "Scanning Dataset",
  access: "user",
  changes: true,
  summary: "Look for new images in the dataset's folder",
  params,
  output: taskStarted,
});

const keyword = text(200).trim().min(1, "Keyword is required");

/** Older scripts may send a list of keywords. */
export const generateDataset = declare({
  method: "POST",
  path: "/dataset/{id}/generate",
  title: "Generating Dataset",
  access: "user",
  summary: "Search openly licensed images by keyword and add them; `limit` applies to each keyword",
  params,
  body: z.object({
    keywords: z.union([keyword.transform((one) => [one]), z.array(keyword).min(1, "Keyword is required").max(10)]),
    /** Older clients send the content of their input field, a string. */
    limit: limit(GENERATE_LIMIT),
  }),
  output: taskStarted.extend({ success: z.literal(true) }),
});

/**
 * Accepts any number of files in field `files`: images and zips. `paths` has each file's path in the dataset, in the
 * same order.
 */
export const uploadToDataset = declare({
  method: "POST",
  path: "/dataset/{id}/upload",
  title: "Uploading",
  access: "user",
  summary: "Add images and zips of images",
  params,
  upload: { field: "files", many: true },
  body: z.object({ folder: text(1000).default(""), paths: z.union([text(1000), z.array(text(1000))]).optional() }),
  output: z.object({
    /** The outcome for each file. A zip starts a task. */
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(["added", "known", "restored", "refused", "task"]),
        id: z.number().nullable(),
        message: z.string().nullable(),
      }),
    ),
  }),
});

/**
 * The pixels that a file's coordinates refer to: those stored in the image files, or upright ones, after applying the
 * EXIF orientation. Used for images whose width and height do not show which pixels the file refers to.
 */
export const pixels = z.enum(["stored", "upright"]);

const importing = {
  method: "POST",
  title: "Importing COCO",
  access: "user",
  params,
  query: z.object({ dry_run: flag, pixels: pixels.optional() }),
  upload: { field: "coco" },
  output: taskStarted,
} as const;

export const importCoco = declare({
  ...importing,
  path: "/dataset/{id}/coco",
  summary:
    "Import a COCO file, or a zip of YOLO or Pascal VOC files; `dry_run` stores nothing and reports what the import would do as the result of a task",
});

/** The same call under the path that older scripts use. */
export const importCocoAsExport = declare({
  ...importing,
  path: "/dataset/{id}/export",
  summary: "Import a file of annotations, under another path",
});

export const importPreviewed = declare({
  method: "POST",
  path: "/dataset/{id}/coco/{dryRunId}",
  title: "Importing COCO",
  access: "user",
  summary: "Import the file of a dry run, which is kept for a day; `dryRunId` is the id of the dry run's task",
  params: z.object({ id: idInPath, dryRunId: idInPath }),
  query: z.object({ pixels: pixels.optional() }),
  output: taskStarted,
});

export const undoImport = declare({
  method: "DELETE",
  path: "/dataset/{id}/import/{importId}",
  title: "Importing COCO",
  access: "user",
  summary: "Undo an import as a whole",
  params: z.object({ id: idInPath, importId: idInPath }),
  output: taskStarted,
});

export const listImports = declare({
  method: "GET",
  path: "/dataset/{id}/imports",
  title: "Importing COCO",
  access: "user",
  summary: "List the newest imports with their reports",
  params,
  output: z.array(
    z.object({
      id: z.number(),
      file_name: z.string(),
      state: z.string(),
      user: z.string().nullable(),
      created_at: z.string(),
      report: z.record(z.string(), z.json()),
    }),
  ),
});
