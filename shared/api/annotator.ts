import { z } from "zod";
import { MAX_SCENE_EDITS } from "../constants";
import { change, editAnswer, editBatch } from "../edits/edit";
import { annotation } from "../entities/annotation";
import { category } from "../entities/category";
import { comment } from "../entities/comment";
import { dataset, datasetPermissions } from "../entities/dataset";
import { image } from "../entities/image";
import { id, metadata } from "../entities/scalars";
import { annotationDocument } from "./annotation";
import { imageFilter } from "./datasets/datasetImages";
import { deletedRuns, sceneCategory } from "./offline";
import { declare } from "./protocol/call";
import { count, flag, idInPath } from "./protocol/inputs";

const MAX_BODY = 32_000_000;
const params = z.object({ id: idInPath });

const common = z.object({
  image: image.extend({
    /** Categories ticked in label mode, in order; `category_ids` also has the categories with annotations. */
    labels: z.array(id),
    previous: z.number().nullable(),
    next: z.number().nullable(),
    /** The first image after this one that has no annotation. */
    next_not_annotated: z.number().nullable(),
  }),
  dataset,
  preferences: metadata,
  /** Oldest first; absent if the image has none. */
  comments: z.array(comment).optional(),
  permissions: z.object({
    dataset: datasetPermissions,
    image: z.object({ delete: z.boolean(), download: z.boolean() }),
  }),
  time_ms: z.number(),
});

/** Response with `?shape=rings`, which Limn's own client requests: no paper JSON. */
export const annotatorScene = common.extend({
  categories: z.array(sceneCategory.extend({ annotations: z.array(annotation) })),
  deleted: deletedRuns,
  /** Uuids of the newest edits that the scene includes, if the query asks for them. */
  edits: z.array(z.string()).optional(),
});
export type AnnotatorScene = z.infer<typeof annotatorScene>;

/**
 * Response without `?shape=rings`, as other clients expect: each annotation has a `paper_object` besides its
 * segmentation.
 */
export const annotatorData = common.extend({
  /**
   * `scene` identifies the scene that was sent: a client that returns it in a save shows which scene the save is based
   * on. `installation` is the id of the installation that the other ids belong to: a save with another installation's
   * id is refused.
   */
  dataset: dataset.extend({ scene: z.string(), installation: z.string() }),
  categories: z.array(
    category.extend({
      show: z.boolean(),
      visualize: z.boolean(),
      annotations: z.array(annotationDocument.extend({ paper_object: z.array(z.json()) })),
    }),
  ),
});
export type AnnotatorData = z.infer<typeof annotatorData>;

/**
 * The list that previous and next follow: the dataset's images with the filter and order of the dataset page; by
 * default all images, by path.
 */
const listContext = imageFilter.extend({ order: imageFilter.shape.order.unwrap().default("path") });

export const getAnnotatorData = declare({
  method: "GET",
  path: "/annotator/data/{id}",
  title: "Could not find requested image",
  access: "user",
  summary: "Get an image with its categories and annotations",
  params,
  query: listContext.extend({
    shape: z.enum(["rings", "paper"]).optional(),
    /** With `shape=rings`: adds the uuids of the newest edits that the scene includes, at most this many. */
    edits: count.pipe(z.number().max(MAX_SCENE_EDITS)).optional(),
  }),
  output: z.union([annotatorScene, annotatorData]),
});

export const getPlace = declare({
  method: "GET",
  path: "/annotator/place/{id}",
  title: "Loading Images",
  access: "user",
  summary: "Get the place of an image in the list that previous and next follow",
  params,
  query: listContext,
  output: z.object({
    /** Number of images in the list before this one. */
    before: z.number(),
    total: z.number(),
  }),
});

/** The full-state save of older clients. Unknown keys and ids are ignored. */
export const saveAnnotatorData = declare({
  method: "POST",
  path: "/annotator/data",
  title: "Saving",
  access: "user",
  raw: true,
  maxBody: MAX_BODY,
  summary: "Save the whole state of the annotator",
  body: z.looseObject({ image: z.looseObject({ id: z.number() }) }),
  output: z.object({ success: z.literal(true), time_ms: z.number() }),
});

export const sendEdits = declare({
  method: "POST",
  path: "/annotator/edits",
  title: "Saving",
  access: "user",
  maxBody: MAX_BODY,
  summary: "Store a batch of edits; the response has an outcome for each",
  body: editBatch,
  output: z.object({ answers: z.array(editAnswer) }),
});

export const getEdits = declare({
  method: "GET",
  path: "/annotator/edits/{id}",
  title: "Loading Annotations",
  access: "user",
  summary: "List the changes to an image after revision `since`",
  params,
  query: z.object({
    since: z
      .union([
        z
          .string()
          .regex(/^\d{1,9}$/, "Must be a whole number")
          .transform(Number),
        z.number().int(),
      ])
      .default(0),
    /** True to include changes of comments. Pages of earlier versions cannot read them. */
    comments: flag,
  }),
  output: z.object({
    revision: z.number(),
    /** True if the image must be reloaded: there was a bulk write, or the history does not reach back that far. */
    reload: z.boolean(),
    changes: z.array(change),
  }),
});
