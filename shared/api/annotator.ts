import { z } from "zod";
import { change, editAnswer, editBatch } from "../edits/edit";
import { annotation } from "../entities/annotation";
import { category } from "../entities/category";
import { dataset, datasetPermissions } from "../entities/dataset";
import { image } from "../entities/image";
import { keypointLabel } from "../entities/keypoint";
import { id, metadata } from "../entities/scalars";
import { annotationDocument } from "./annotation";
import { imageFilter } from "./dataset";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";

const MAX_BODY = 32_000_000;
const params = z.object({ id: idInPath });

const common = z.object({
  image: image.extend({
    /** Ticked in label mode, in order; `category_ids` has those with annotations as well. */
    labels: z.array(id),
    previous: z.number().nullable(),
    next: z.number().nullable(),
    /** The first one behind this that has no annotation. */
    next_not_annotated: z.number().nullable(),
  }),
  dataset,
  preferences: metadata,
  permissions: z.object({
    dataset: datasetPermissions,
    image: z.object({ delete: z.boolean(), download: z.boolean() }),
  }),
  time_ms: z.number(),
});

/** With `?shape=rings`: what our own client asks for, without paper JSON. */
export const annotatorScene = common.extend({
  categories: z.array(
    category.extend({
      /** Labels that were taken away: their ids are not given again, and a label of the same name takes its own. */
      keypoint_removed: z.array(keypointLabel).optional(),
      permissions: z.object({ edit: z.boolean(), delete: z.boolean() }),
      annotations: z.array(annotation),
    }),
  ),
});
export type AnnotatorScene = z.infer<typeof annotatorScene>;

/** Without: what other clients expect, with `paper_object` beside each annotation's segmentation. */
export const annotatorData = common.extend({
  /** `scene` names what was sent: whoever returns the dataset with a save says which state the save was made on. */
  dataset: dataset.extend({ scene: z.string() }),
  categories: z.array(
    category.extend({
      show: z.boolean(),
      visualize: z.boolean(),
      annotations: z.array(annotationDocument.extend({ paper_object: z.array(z.json()) })),
    }),
  ),
});
export type AnnotatorData = z.infer<typeof annotatorData>;

/** The list that previous and next follow: as the dataset page filtered and ordered it; else the dataset by path. */
const walk = imageFilter.extend({ order: imageFilter.shape.order.unwrap().default("path") });

export const getAnnotatorData = declare({
  method: "GET",
  path: "/annotator/data/{id}",
  title: "Could not find requested image",
  access: "user",
  summary: "An image with its categories and annotations",
  params,
  query: walk.extend({ shape: z.enum(["rings", "paper"]).optional() }),
  output: z.union([annotatorScene, annotatorData]),
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
  summary: "Store a batch of edits; each is answered on its own",
  body: editBatch,
  output: z.object({ answers: z.array(editAnswer) }),
});

export const getEdits = declare({
  method: "GET",
  path: "/annotator/edits/{id}",
  title: "Loading Annotations",
  access: "user",
  summary: "What happened to an image after revision `since`",
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
  }),
  output: z.object({
    revision: z.number(),
    /** The image must be loaded again: a mass write happened, or history does not reach that far. */
    reload: z.boolean(),
    changes: z.array(change),
  }),
});
