import { z } from "zod";
import { GENERATE_LIMIT, MAX_CATEGORIES } from "../constants";
import { category } from "../entities/category";
import { dataset, datasetCard, datasetName, datasetPermissions } from "../entities/dataset";
import { imageSummary } from "../entities/image";
import { member } from "../entities/member";
import { id, metadata, text } from "../entities/scalars";
import { statistics } from "../entities/statistics";
import { taskStarted } from "../entities/task";
import { declare } from "./protocol/call";
import { flag, folderPath, idInPath, idList, limit, page } from "./protocol/inputs";
import { pagination, success } from "./protocol/outputs";

const params = z.object({ id: idInPath });
const usernames = z.array(text(100)).max(10_000);
/** Category names; missing ones are created for the caller. */
const categoryNames = z.array(text(200)).max(MAX_CATEGORIES);

/** Filters, order and folder of a dataset's images. */
export const imageFilter = z.object({
  folder: folderPath,
  file_name__icontains: text(1000).optional(),
  /** Older clients send a single blank where they want neither kind: "none". */
  annotated: z.union([z.enum([" ", "none"]).transform(() => "none" as const), ...flag.unwrap().options]).optional(),
  /** Marked as done. */
  done: flag,
  /** Narrows the annotated images alone, as in older servers: those without annotations are listed beside them. */
  category_ids__in: idList,
  /** The categories narrow the others too: only those that have one of them as a label are listed. */
  strict_categories: flag,
  /** file_name, id or path; a leading `-` turns it round. */
  order: z
    .string()
    .regex(/^-?(file_name|id|path)$/, "Order is file_name, id or path")
    .default("file_name"),
});
export type ImageFilter = z.output<typeof imageFilter>;

export const listDatasets = declare({
  method: "GET",
  path: "/dataset/",
  title: "Loading Datasets",
  access: "user",
  summary: "All datasets one may see",
  output: z.array(dataset),
});

export const createDataset = declare({
  method: "POST",
  path: "/dataset/",
  title: "Creating Dataset",
  access: "user",
  summary: "Make a dataset; `name` in the query or in the body",
  query: z.object({ name: datasetName.optional() }),
  body: z.object({ name: datasetName.optional(), categories: categoryNames.nullish() }),
  output: dataset.extend({ permissions: datasetPermissions }),
});

/** Without its images, which `getDataset` pages through. */
export const getOneDataset = declare({
  method: "GET",
  path: "/dataset/{id}",
  title: "Loading Dataset",
  access: "user",
  summary: "One dataset and what one may do with it",
  params,
  output: dataset.extend({ permissions: datasetPermissions }),
});

export const getDatasets = declare({
  method: "GET",
  path: "/dataset/data",
  title: "Loading Datasets",
  access: "user",
  summary: "A page of dataset cards",
  query: z.object({ page, limit: limit(52), folder: z.string().max(1000).optional() }),
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
  summary: "A page of a dataset's images",
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
    dataset: dataset.extend({ permissions: datasetPermissions, numberImages: z.number() }),
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
    "Change default categories and default annotation metadata (and, for the owner, the annotate URL): as a whole, or what is added and removed alone",
  params,
  body: z
    .object({
      /** The whole list. */
      categories: categoryNames.nullish(),
      add_categories: categoryNames.optional(),
      /** Names that are not in the list are passed over. */
      remove_categories: categoryNames.optional(),
      /** All entries. */
      default_annotation_metadata: metadata.nullish(),
      set_default_metadata: metadata.optional(),
      /** Keys. */
      remove_default_metadata: z.array(z.string()).max(10_000).optional(),
      annotate_url: text(2000).nullish(),
    })
    .refine((body) => !body.categories || (!body.add_categories && !body.remove_categories), {
      message: "Send categories, or what is added and removed",
      path: ["categories"],
    })
    .refine(
      (body) => !body.default_annotation_metadata || (!body.set_default_metadata && !body.remove_default_metadata),
      { message: "Send all metadata, or what is set and removed", path: ["default_annotation_metadata"] },
    ),
  output: success,
});

export const shareDataset = declare({
  method: "POST",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary: "Set with whom a dataset is shared: `users` is the whole list, `add` and `remove` change it",
  params,
  body: z
    .object({ users: usernames.optional(), add: usernames.optional(), remove: usernames.optional() })
    .refine(({ users, add, remove }) => (users === undefined) !== (add === undefined && remove === undefined), {
      message: "Send users, or add and remove",
      path: ["users"],
    }),
  output: success,
});

export const findPossibleMembers = declare({
  method: "GET",
  path: "/dataset/{id}/share",
  title: "Sharing Dataset",
  access: "user",
  summary: "Usernames that begin with `begin` and that the dataset is not shared with yet, ten at most",
  params,
  query: z.object({ begin: text(100).min(1) }),
  output: z.array(z.string()),
});

export const listMembers = declare({
  method: "GET",
  path: "/dataset/{id}/users",
  title: "Loading Members",
  access: "user",
  summary: "Who works on a dataset: its owner and its members",
  params,
  output: z.array(member),
});

export const getStatistics = declare({
  method: "GET",
  path: "/dataset/{id}/stats",
  title: "Loading Statistics",
  access: "user",
  summary: "What a dataset's annotations add up to",
  params,
  output: statistics,
});

const resetting = {
  path: "/dataset/{id}/reset/metadata",
  title: "Resetting Metadata",
  access: "user",
  summary: "Give all annotations the dataset's default metadata, and all images none",
  params,
  output: success,
} as const;

export const resetMetadata = declare({ method: "POST", ...resetting });

/** The same for older scripts and clients. */
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

/** Also scripts of older clients send a list. */
export const generateDataset = declare({
  method: "POST",
  path: "/dataset/{id}/generate",
  title: "Generating Dataset",
  access: "user",
  summary: "Search openly licensed images by keywords and add them; `limit` is for each keyword",
  params,
  body: z.object({
    keywords: z.union([keyword.transform((one) => [one]), z.array(keyword).min(1, "Keyword is required").max(10)]),
    /** Older clients send what stands in their field, a text. */
    limit: limit(GENERATE_LIMIT),
  }),
  output: taskStarted.extend({ success: z.literal(true) }),
});

/** Many files in field `files`: images and zips. `paths` gives each file's place in the dataset, in order. */
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
    /** The outcome for each file. A zip becomes a task. */
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
 * The pixels that a file's coordinates refer to: as stored in the images' files, or upright, after their EXIF orientation.
 * Counts for images whose sides do not show it.
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
    "Import a COCO file, or a zip of YOLO or Pascal VOC files; `dry_run` only says what that would do, as the result of a task, and stores nothing",
});

/** The same for older scripts. */
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
  summary: "Import the file of a dry run, which is kept for a day; `dryRunId` is the dry run's task",
  params: z.object({ id: idInPath, dryRunId: idInPath }),
  query: z.object({ pixels: pixels.optional() }),
  output: taskStarted,
});

export const undoImport = declare({
  method: "DELETE",
  path: "/dataset/{id}/import/{importId}",
  title: "Importing COCO",
  access: "user",
  summary: "Take an import back as one thing",
  params: z.object({ id: idInPath, importId: idInPath }),
  output: taskStarted,
});

export const listImports = declare({
  method: "GET",
  path: "/dataset/{id}/imports",
  title: "Importing COCO",
  access: "user",
  summary: "The newest imports with their reports",
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
