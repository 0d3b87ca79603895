import { z } from "zod";
import { MAX_CATEGORIES } from "../../constants";
import { stage } from "../../entities/image";
import { id, text } from "../../entities/scalars";
import { declare } from "../protocol/call";
import { idInPath } from "../protocol/inputs";
import { imageFilter } from "./datasetImages";

/** Calls that change many images of a dataset at once. */

const params = z.object({ id: idInPath });

/** Largest number of images listed by id. */
export const MAX_NAMED_IMAGES = 10_000;

/**
 * The selected images: those in `ids`, or all that match `filter` except those in `except`; the filter `{}` selects the
 * whole dataset. `total` is the number of matches that the caller has seen, and `digest` the number by which
 * `getSelection` tells the images that match from others: if one of them has changed, nothing is written, and the
 * response is 409 with the code `total_changed` and the current numbers. Without them, all matches are changed.
 */
export const whichImages = {
  ids: z.array(id).min(1).max(MAX_NAMED_IMAGES).optional(),
  filter: imageFilter.omit({ order: true }).optional(),
  except: z.array(id).max(MAX_NAMED_IMAGES).optional(),
  total: z.number().int().min(0).optional(),
  digest: z.number().int().min(0).optional(),
};
type Which = { [name in keyof typeof whichImages | "stages" | "assignees"]?: unknown };
export const isOneOfBoth = ({ ids, filter, ...of }: Which) =>
  (ids === undefined) !== (filter === undefined) &&
  ([of.except, of.total, of.digest, of.stages, of.assignees].every((value) => value === undefined) ||
    filter !== undefined);
export const ONE_OF_BOTH = "Send ids, or a filter with or without except, total and digest";

/**
 * Number by which `getSelection` tells the stages or assignees of the images that match a filter from others. If one of
 * them has changed, nothing is written, and the response is 409 with the code `total_changed` and the current numbers;
 * an image in `seen` counts with the value there, as it is only left alone. Without it, all images are changed.
 */
const digestOfValues = z.number().int().min(0).optional();

export const getSelection = declare({
  method: "GET",
  path: "/dataset/{id}/images/selection",
  title: "Selecting Images",
  access: "user",
  summary:
    "Get the number of images that match a filter, a number that changes when other images match, and numbers that change with their stages and assignees",
  params,
  query: imageFilter.omit({ order: true }),
  output: z.object({ total: z.number(), digest: z.number(), stages: z.number(), assignees: z.number() }),
});

const seenIds = z.array(id).max(MAX_NAMED_IMAGES);

const categoryIds = z.array(id).max(MAX_CATEGORIES).default([]);

/**
 * Outcome of a bulk command. A few images are changed at once; more are changed in a task, named by `task`, whose log
 * lists the failures. `failures` has the first images that could not be changed. Pass `undo` to `restoreImages` after a
 * deletion and to `takeBackImages` after another change, also if the task was cancelled or has failed: the result of the
 * task has it too. `undo` is null if there is nothing to undo.
 */
const changed = z.object({
  changed: z.number(),
  failed: z.number(),
  failures: z.array(z.object({ id, message: z.string() })),
  task: z.object({ id: z.number(), name: z.string() }).nullable(),
  undo: z.string().nullable(),
});
export type ImagesChanged = z.infer<typeof changed>;

export const deleteImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/delete",
  title: "Deleting Images",
  access: "user",
  summary: "Move images to the trash",
  params,
  body: z.object(whichImages).refine(isOneOfBoth, ONE_OF_BOTH),
  output: changed,
});

export const restoreImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/restore",
  title: "Restoring Images",
  access: "user",
  summary: "Restore the images that a call of deleteImages moved to the trash; `undo` comes from its response",
  params,
  body: z.object({ undo: z.iso.datetime() }),
  output: changed,
});

export const takeBackImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/undo",
  title: "Undoing",
  access: "user",
  summary:
    "Undo one of your moveImages, labelImages, markImages or assignImages of the last day: images get back the folders, labels, stages or users that they had before; later changes stay",
  params,
  body: z.object({ undo: z.uuid() }),
  output: changed,
});

export const moveImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/move",
  title: "Moving Images",
  access: "user",
  summary:
    "Move images with their files to a folder of the dataset; an empty `folder` is the top level. Nothing is overwritten",
  params,
  body: z.object({ ...whichImages, folder: text(1000) }).refine(isOneOfBoth, ONE_OF_BOTH),
  output: changed,
});

export const labelImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/label",
  title: "Labelling Images",
  access: "user",
  summary: "Tick (`add`) and untick (`remove`) category labels of images; annotations stay as they are",
  params,
  body: z.object({ ...whichImages, add: categoryIds, remove: categoryIds }).refine(isOneOfBoth, ONE_OF_BOTH),
  output: changed,
});

export const markImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/mark",
  title: "Marking Images",
  access: "user",
  summary:
    "Mark images as done or not done with `done`, or move them to another stage with `stage`; images that the caller may not move are listed as failures",
  params,
  body: z
    .object({
      ...whichImages,
      done: z.boolean().optional(),
      stage: stage.optional(),
      stages: digestOfValues,
      /**
       * Stages in which the caller has seen images: an image that is in another by now stays and is listed as a
       * failure.
       */
      seen: z.array(z.object({ stage, ids: seenIds })).optional(),
    })
    .refine(isOneOfBoth, ONE_OF_BOTH)
    .refine(({ done, stage }) => (done === undefined) !== (stage === undefined), "Send done or stage"),
  output: changed,
});

export const assignImages = declare({
  method: "POST",
  path: "/dataset/{id}/images/assign",
  title: "Assigning Images",
  access: "user",
  summary:
    "Assign images to members, by username: in equal shares to several, to nobody if `users` is empty. Only for maintainers",
  params,
  body: z
    .object({
      ...whichImages,
      users: z.array(text(100)).max(1000),
      assignees: digestOfValues,
      /**
       * Users who had images when the caller saw them: an image that another has by now stays and is listed as a
       * failure.
       */
      seen: z.array(z.object({ assignee: text(100).nullable(), ids: seenIds })).optional(),
    })
    .refine(isOneOfBoth, ONE_OF_BOTH),
  output: changed,
});
