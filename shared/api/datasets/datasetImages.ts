import { z } from "zod";
import { GENERATE_LIMIT } from "../../constants";
import { dataset, datasetPermissions, stageCounts } from "../../entities/dataset";
import { imageSummary, STAGES } from "../../entities/image";
import { id, text } from "../../entities/scalars";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { flag, folderPath, idInPath, idList, limit, page } from "../protocol/inputs";

const params = z.object({ id: idInPath });

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
      /**
       * True if images were given to several annotators, or their truth is known; absent for those below maintainers.
       */
      has_consensus: z.boolean().optional(),
    }),
    categories: z.array(z.object({ id, name: z.string(), color: z.string() })),
    /** Direct sub-folders that have images. */
    subdirectories: z.array(z.string()),
    time_ms: z.number(),
  }),
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
