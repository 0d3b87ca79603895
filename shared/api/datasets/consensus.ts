import { z } from "zod";
import { MAX_CATEGORIES } from "../../constants";
import { keypoint } from "../../entities/keypoint";
import { color, id, text } from "../../entities/scalars";
import { bbox, rings } from "../../entities/shape";
import { taskStarted } from "../../entities/task";
import { declare } from "../protocol/call";
import { idInPath, limit, page } from "../protocol/inputs";
import { success } from "../protocol/outputs";
import { isOneOfBoth, MAX_NAMED_IMAGES, ONE_OF_BOTH, whichImages } from "./bulk";

/**
 * Calls of consensus: images are given to several annotators, who do not see each other's work, and what they have
 * drawn is compared and merged. All are calls of maintainers. Copies of images belong to datasets of their own, which
 * only their annotators see.
 */

const params = z.object({ id: idInPath });
const title = "Consensus";
const access = "user";

/** A share or a mean, from 0 to 1; null if there is nothing to divide by. */
const figure = z.number().nullable();

/**
 * Agreement of annotators. Two annotations are the same object if they have the same category and overlap by at least
 * one half; pairs are chosen so that the sum of overlaps is the largest. `overlap` is the mean intersection over union
 * (Jaccard, 1912) of these pairs, `f1` is 2 matched / (2 matched + single) (Dice, 1945), `quality` is the panoptic
 * quality, f1 x overlap (Kirillov et al., 2019).
 */
const agreement = z.object({
  /** Pairs of annotations that are the same object. */
  matched: z.number(),
  /** Annotations without a partner. */
  single: z.number(),
  f1: figure,
  overlap: figure,
  quality: figure,
});
export type ShownAgreement = z.infer<typeof agreement>;

/** Agreement of an annotator's copies with the known truth. `precision` and `recall` count the annotator's objects. */
const score = agreement.extend({ images: z.number(), precision: figure, recall: figure });

const day = agreement.extend({ day: z.iso.date(), images: z.number() });

/** Username of an annotator when the copies were given, and the id under which the figures name the annotator. */
const annotator = z.object({ id, username: z.string() });

const annotatorFigures = annotator.extend({
  given: z.number(),
  finished: z.number(),
  /** Agreement with all others. */
  agreement,
  /** The same by the day, in UTC, on which the annotator last changed the copy. */
  days: z.array(day),
  /** Null without finished copies of images whose truth is known. */
  score: score.nullable(),
});
export type AnnotatorFigures = z.infer<typeof annotatorFigures>;

const pairFigures = z.object({
  a: id,
  b: id,
  images: z.number(),
  agreement,
  /** Cohen's kappa (1960) of the categories of objects that both have found, whatever their categories. */
  kappa: figure,
});
export type PairFigures = z.infer<typeof pairFigures>;

export const getConsensus = declare({
  method: "GET",
  path: "/dataset/{id}/consensus",
  title,
  access,
  summary:
    "Get how far the annotators of a dataset's copies agree, as a whole, by category, by pair and by annotator; only copies that are marked as done count",
  params,
  output: z.object({
    /** Images that have copies, those whose copies are all done, and those whose truth is known. */
    images: z.number(),
    finished: z.number(),
    truths: z.number(),
    /** Comparisons that are not computed yet: call again. */
    pending: z.number(),
    agreement,
    categories: z.array(z.object({ category_id: id, name: z.string(), color, agreement })),
    pairs: z.array(pairFigures),
    annotators: z.array(annotatorFigures),
  }),
});

const imageOfConsensus = z.object({
  id,
  file_name: z.string(),
  path: z.string(),
  width: z.number(),
  height: z.number(),
  num_annotations: z.number(),
  revision: z.number(),
  /** True if its annotations are the known truth, and its copies are scored against them. */
  is_truth: z.boolean(),
  /** Time of the last merge; null if there was none, or it was undone. */
  merged_at: z.string().nullable(),
  copies: z.array(
    z.object({
      annotator: id,
      is_finished: z.boolean(),
      num_annotations: z.number(),
      /** Mean f1 with the others' copies, or f1 with the known truth. */
      f1: figure,
    }),
  ),
  /** Means of the figures of all pairs of copies, or of all copies with the known truth. */
  f1: figure,
  overlap: figure,
});
export type ConsensusImage = z.infer<typeof imageOfConsensus>;

const consensusOrder = z.enum(["f1", "path"]);
export type ConsensusOrder = z.output<typeof consensusOrder>;

export const listConsensusImages = declare({
  method: "GET",
  path: "/dataset/{id}/consensus/images",
  title,
  access,
  summary:
    "List a dataset's images that have copies or whose truth is known; by default, those with the least agreement first",
  params,
  query: z.object({ order: consensusOrder.default("f1"), page, limit: limit(24) }),
  output: z.object({
    total: z.number(),
    pages: z.number(),
    page: z.number(),
    /** Comparisons that are not computed yet: call again. */
    pending: z.number(),
    annotators: z.array(annotator),
    images: z.array(imageOfConsensus),
  }),
});

export const giveImages = declare({
  method: "POST",
  path: "/dataset/{id}/consensus/give",
  title,
  access,
  summary:
    "Give images to several users, in a task: each gets copies without annotations in a dataset that the others do not see; copies taken back before return with their annotations",
  params,
  body: z
    .object({
      ...whichImages,
      users: z.array(text(100)).min(1).max(50),
      /** True if the images' annotations are known to be true, as with markTruth. */
      is_truth: z.boolean().optional(),
    })
    .refine(isOneOfBoth, ONE_OF_BOTH),
  output: taskStarted,
});

const named = { ids: z.array(id).min(1).max(MAX_NAMED_IMAGES) };

export const takeBackCopies = declare({
  method: "POST",
  path: "/dataset/{id}/consensus/take-back",
  title,
  access,
  summary:
    "Take the copies of images back, from all annotators or from some; they and their annotations move to the trash",
  params,
  body: z.object({ ...named, annotators: z.array(id).optional() }),
  output: z.object({ taken: z.number() }),
});

export const markTruth = declare({
  method: "POST",
  path: "/dataset/{id}/consensus/truth",
  title,
  access,
  summary:
    "Say that the annotations of images are known to be true, so that copies are scored against them, or no longer",
  params,
  body: z.object({ ...named, is_truth: z.boolean() }),
  output: success,
});

const annotationOfConsensus = z.object({
  id,
  /** Id of the annotator, or null for the known truth. */
  annotator: id.nullable(),
  category_id: id,
  /** Empty for keypoints alone. */
  rings,
  isbbox: z.boolean(),
  bbox,
  keypoints: z.array(keypoint),
});
export type ConsensusAnnotation = z.infer<typeof annotationOfConsensus>;

const consensusObject = z.object({
  /** Ids of the annotations that are this object, whatever their categories, at most one of each annotator. */
  annotations: z.array(id),
  /** Mean overlap of all pairs of these annotations; null for a single one. */
  overlap: figure,
});

export const getConsensusImage = declare({
  method: "GET",
  path: "/image/{id}/consensus",
  title,
  access,
  summary: "Get what the annotators have drawn on an image's copies, grouped into objects",
  params,
  output: z.object({
    image: imageOfConsensus.extend({ dataset_id: id }),
    annotators: z.array(annotator.extend({ copy_id: id, revision: z.number(), is_finished: z.boolean() })),
    categories: z.array(z.object({ id, name: z.string(), color })).max(MAX_CATEGORIES),
    annotations: z.array(annotationOfConsensus),
    objects: z.array(consensusObject),
  }),
});

const mergedObject = z.object({
  /** Annotations of copies that are one object; the order decides between equally common categories. */
  annotations: z.array(id).min(1).max(50),
  /** `one`: the first annotation as it is. `union`: what anybody has drawn. `mean`: the mean outline. */
  how: z.enum(["one", "union", "mean"]),
});
export type MergedObject = z.infer<typeof mergedObject>;

export const mergeCopies = declare({
  method: "POST",
  path: "/image/{id}/consensus/merge",
  title,
  access,
  summary:
    "Write objects that were drawn on an image's copies into the image, all or none; 409 if a copy has another revision than in `revisions`, or the image than in `image_revision`",
  params,
  body: z.object({
    objects: z.array(mergedObject).max(10_000),
    /** True if the image's present annotations move to the trash. */
    replace: z.boolean(),
    /** Revisions of the copies that the caller has seen. */
    revisions: z.array(z.object({ copy_id: id, revision: z.int().min(0) })).max(50),
    /** Revision of the image whose present annotations the caller has seen. */
    image_revision: z.int().min(0).optional(),
  }),
  /** `merged_at` names the merge, for its undo; null if nothing was written. */
  output: z.object({ created: z.number(), deleted: z.number(), merged_at: z.string().nullable() }),
});

export const undoMerge = declare({
  method: "POST",
  path: "/image/{id}/consensus/undo",
  title,
  access,
  summary:
    "Undo the last merge of an image; what was changed since stays; 409 if the last merge is not that of `merged_at`",
  params,
  body: z.object({ merged_at: z.string().optional() }),
  output: z.object({ deleted: z.number(), restored: z.number() }),
});
