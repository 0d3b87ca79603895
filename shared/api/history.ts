import { z } from "zod";
import { annotation } from "../entities/annotation";
import { stage } from "../entities/image";
import { uuid } from "../entities/scalars";
import { declare } from "./protocol/call";
import { count, idInPath } from "./protocol/inputs";

/** Most steps in a response. */
export const MAX_STEPS = 200;
/** Most versions of one annotation in a response. */
export const MAX_VERSIONS = 24;
/** Most annotations that a step names. */
export const MAX_NAMED = 500;

/**
 * Changes that belong together: edits of one client, each within a second of the one before. `bulk`: revisions without
 * a record of each change (an import, a command on many images, a restore, or changes whose record has been deleted).
 */
export const historyStep = z.object({
  kind: z.enum(["edits", "bulk"]),
  /** First and last revision of the image. The image after the step is the one at revision `to`. */
  from: z.number(),
  to: z.number(),
  /** Time of the last change; null if it is unknown. */
  at: z.string().nullable(),
  user: z.string(),
  /** Numbers of annotations that were created, changed and deleted; of a bulk step, those that it added. */
  created: z.number(),
  modified: z.number(),
  deleted: z.number(),
  /**
   * Fields that modified annotations, the image, a category or comments have changed. `comment create` and
   * `comment delete`: a comment was written or deleted.
   */
  fields: z.array(z.string()),
  /** Stage that the step gave the image; null if it did not change it. */
  stage: stage.nullable(),
  /** Uuids of the annotations, up to 500. */
  annotations: z.array(z.string()),
});
export type HistoryStep = z.infer<typeof historyStep>;

export const annotationVersion = z.object({
  /** Revision of the image; null for the state before the first recorded change, such as the imported one. */
  image_revision: z.number().nullable(),
  action: z.enum(["create", "modify", "delete"]),
  at: z.string(),
  user: z.string(),
  fields: z.array(z.string()),
  /** The annotation after the change; null if it was deleted, or if its state is no longer known. */
  annotation: annotation.nullable(),
});
export type AnnotationVersion = z.infer<typeof annotationVersion>;

/** A revision of an image. One that is too large means now. */
const revision = count.pipe(z.number().max(2_147_483_647)).optional();

export const getHistory = declare({
  method: "GET",
  path: "/annotator/history/{id}",
  title: "Loading History",
  access: "user",
  summary: "List the changes to an image in steps, newest first; `before` continues an earlier response",
  params: z.object({ id: idInPath }),
  query: z.object({ before: revision }),
  output: z.object({
    /** Revision of the image now. */
    revision: z.number(),
    steps: z.array(historyStep),
    /** `before` of the next call; null if there are no earlier steps. */
    older: z.number().nullable(),
  }),
});

export const moment = z.object({
  revision: z.number(),
  /** Uuids of annotations whose state at that time is no longer known. */
  unknown: z.array(z.string()),
  annotations: z.array(annotation),
  /** Annotations of the image that are deleted now, with the revision that an edit that restores one is based on. */
  deleted: z.array(z.object({ uuid: z.string(), revision: z.number() })),
});
export type Moment = z.infer<typeof moment>;

export const getMoment = declare({
  method: "GET",
  path: "/annotator/history/{id}/moment",
  title: "Loading History",
  access: "user",
  summary: "Get the annotations of an image as they were at a revision",
  params: z.object({ id: idInPath }),
  query: z.object({ revision: revision.unwrap() }),
  output: moment,
});

export const getVersions = declare({
  method: "GET",
  path: "/annotator/history/{id}/annotation/{uuid}",
  title: "Loading History",
  access: "user",
  summary: "List the versions of one annotation of an image, newest first; `before` continues an earlier response",
  params: z.object({ id: idInPath, uuid }),
  query: z.object({ before: revision }),
  output: z.object({
    versions: z.array(annotationVersion),
    /** `before` of the next call (a revision of the image); null if there are no earlier versions. */
    older: z.number().nullable(),
  }),
});
