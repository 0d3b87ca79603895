import { z } from "zod";
import { MAX_EDITS, MAX_KNOWN_EDITS } from "../constants";
import { annotationFields } from "../entities/annotation";
import { attributeDefinitions } from "../entities/attribute";
import { commentFields } from "../entities/comment";
import { stage } from "../entities/image";
import { color, id, metadata, storedMetadata, text, uuid } from "../entities/scalars";

/**
 * An edit is one change to one subject: an annotation, an image's labels, metadata and mark, a category's colour,
 * keypoint definition and attributes, or a comment. Undo applies the inverse edit, saving sends edits, and the history
 * is a list of edits.
 */

/**
 * Fields of an annotation that an edit may change. `rings` and `isbbox` together count as one field, see `fieldsOf`.
 */
export const annotationChange = annotationFields.partial();
export type AnnotationChange = z.infer<typeof annotationChange>;

/**
 * `labels`: the category ids ticked in label mode. `stage`: the stage of the work. `done` is sent where no review is
 * asked for, and by older clients; the dataset decides which stage it means (rules/stages.ts).
 */
export const imageChange = z.object({ labels: z.array(id).max(10_000), metadata, done: z.boolean(), stage }).partial();

export const categoryChange = z
  .object({
    color,
    keypoint_labels: z.array(text(200)).max(1000),
    keypoint_edges: z.array(z.tuple([z.int(), z.int()])).max(10_000),
    keypoint_colors: z.array(color).max(1000),
    /** Ids of the labels, in the same order; a renamed label keeps its id. New labels have new ids (newLabelIds). */
    keypoint_label_ids: z.array(z.int().min(1)).max(1000),
    attributes: attributeDefinitions,
  })
  .partial();
export type CategoryChange = z.infer<typeof categoryChange>;

/** Previous values may exceed the limits of new ones. */
const stored = { metadata: storedMetadata.optional(), attributes: storedMetadata.optional() };

const common = {
  /** Chosen by the client, so that sending an edit twice does no harm. */
  uuid,
  /** The image that the user has open: its room is notified and its revision is incremented. */
  image_id: id,
  /** Revision of the subject that the edit is based on; 0 if the subject does not exist yet. */
  base: z.int().min(0),
  /**
   * Uuids of edits of the same subject that the user made in other tabs or before a reload, and saw before they had a
   * revision: the edit builds on them whatever its base, so they do not conflict with it.
   */
  knows: z.array(uuid).max(MAX_KNOWN_EDITS).optional(),
};

/** `create` of a deleted annotation restores it: the inverse of `delete`. */
export const annotationEdit = z.object({
  ...common,
  subject: z.literal("annotation"),
  /** The annotation's uuid. */
  target: uuid,
  action: z.enum(["create", "modify", "delete"]),
  before: annotationChange.extend(stored),
  after: annotationChange,
});
export type AnnotationEdit = z.infer<typeof annotationEdit>;

export const imageEdit = z.object({
  ...common,
  subject: z.literal("image"),
  action: z.literal("modify"),
  before: imageChange.extend({ metadata: stored.metadata }),
  after: imageChange,
});
export type ImageEdit = z.infer<typeof imageEdit>;

export const categoryEdit = z.object({
  ...common,
  subject: z.literal("category"),
  /** The category's id. */
  target: id,
  action: z.literal("modify"),
  before: categoryChange,
  after: categoryChange,
});
export type CategoryEdit = z.infer<typeof categoryEdit>;

export const commentChange = commentFields.partial();
export type CommentChange = z.infer<typeof commentChange>;

/** `create` of a deleted comment restores it. Comments never conflict: only the author changes the text. */
export const commentEdit = z.object({
  ...common,
  subject: z.literal("comment"),
  /** The comment's uuid. */
  target: uuid,
  action: z.enum(["create", "modify", "delete"]),
  before: commentChange,
  after: commentChange,
});
export type CommentEdit = z.infer<typeof commentEdit>;

export const edit = z.discriminatedUnion("subject", [annotationEdit, imageEdit, categoryEdit, commentEdit]);
export type Edit = z.infer<typeof edit>;

/** Time spent on an image or one of its annotations; stored once, however often it is sent. */
export const workSession = z.object({
  uuid,
  image_id: id,
  annotation_uuid: uuid.nullable(),
  /** Milliseconds since the epoch. */
  start: z.number().min(0).max(8_640_000_000_000_000),
  milliseconds: z.int().min(0).max(86_400_000),
  tools: z.array(text(50)).max(1000),
});
export type WorkSession = z.infer<typeof workSession>;

/** Id of one browser tab, chosen by the tab. */
export const clientId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);

/**
 * Edits are `unknown` here and parsed one by one, so that an invalid one does not block the others. An edit that only
 * moves a shape may have `after.rings: { moved: [x, y] }`, see moved.ts.
 */
export const editBatch = z.object({
  client: clientId,
  /**
   * Id of the installation for which the edits were made. A batch for another one gets 409 with the code
   * `other_installation`, and nothing is stored: the same ids may refer to other images and users there.
   */
  installation: uuid.nullish(),
  /** User who made the edits. A batch sent with another user's login gets 401, and nothing is stored. */
  user: id.nullish(),
  edits: z.array(z.unknown()).max(MAX_EDITS),
  sessions: z.array(workSession).max(MAX_EDITS).nullish(),
  preferences: metadata.nullish(),
});
export type EditBatch = z.infer<typeof editBatch>;

/**
 * `image_not_found`: the edit's image is deleted, or the user may not see it. `not_found`: the same for its subject.
 * `read_only`: the user may look at the image but not change it.
 */
export const REFUSAL_CODES = ["image_not_found", "not_found", "read_only"] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/**
 * Outcome of one edit.
 *
 * applied, seen: stored now or earlier; `revision` is the subject's, `image_revision` the image's, `id` the
 * annotation's.
 *
 * conflict: another user changed the same field in between; `stored` is the current version (null if deleted),
 * `revision` its revision, `changed_by` and `changed_at` the last change's user and time, if the history has them.
 *
 * refused: it cannot be stored; `reason` is shown to the user, `code` is set if clients react to it. `revision` 0 means
 * that the server has no such annotation, not even a deleted one, so the client can create it again.
 */
export const editAnswer = z.object({
  uuid: z.string(),
  status: z.enum(["applied", "seen", "conflict", "refused"]),
  id: id.nullish(),
  revision: z.number().nullish(),
  image_revision: z.number().nullish(),
  fields: z.array(z.string()).nullish(),
  stored: z.json().nullish(),
  reason: z.string().nullish(),
  code: z.enum(REFUSAL_CODES).nullish(),
  changed_by: z.string().nullish(),
  changed_at: z.string().nullish(),
});
export type EditAnswer = z.infer<typeof editAnswer>;

/** A stored change, as the catch-up call and the history return it. */
export const change = z.object({
  image_revision: z.number(),
  subject: z.enum(["annotation", "image", "category", "comment"]),
  subject_id: z.string(),
  revision: z.number(),
  action: z.enum(["create", "modify", "delete"]),
  fields: z.record(z.string(), z.json()),
  edit: z.string().nullable(),
  client: z.string().nullable(),
  user: z.string(),
});
export type Change = z.infer<typeof change>;
