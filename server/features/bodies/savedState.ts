import { createHash } from "node:crypto";
import { z } from "zod";
import { type WorkSession, workSession } from "../../../shared/edits/edit";
import { color, metadata } from "../../../shared/entities/scalars";
import { INVALID_INPUT, reasonFor } from "../../../shared/rules/reasonFor";
import { badRequest } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { readPath, type SavedPath } from "./savedPath";

/**
 * The complete state that older clients send. Only these keys are read. Invalid list items are ignored if they only
 * refer to something (an id, a session), and refused if they are the user's work (a shape, keypoints).
 */
const savedAnnotation = z.object({
  id: z.number(),
  isbbox: z.boolean().nullish(),
  color: color.nullish().catch(undefined),
  metadata: metadata.nullish(),
  /** The original client leaves gaps, null in JSON, before a triple that has no label. */
  keypoints: z
    .array(
      z
        .number()
        .min(-1e7)
        .max(1e7)
        .nullable()
        .transform((value) => value ?? 0),
    )
    .max(30_000)
    .nullish(),
  compoundPath: z.unknown().optional(),
  sessions: z.array(z.unknown()).max(10_000).nullish(),
});
/** An annotation as it was sent, with its path read. */
export type SavedAnnotation = Omit<z.output<typeof savedAnnotation>, "compoundPath" | "sessions"> & {
  path?: SavedPath;
  sessions: SavedSession[];
};

const savedCategory = z.object({
  id: z.number(),
  color: color.nullish().catch(undefined),
  keypoint_labels: z.array(z.string().max(200)).max(1000).nullish(),
  keypoint_edges: z
    .array(z.tuple([z.int(), z.int()]))
    .max(10_000)
    .nullish(),
  keypoint_colors: z.array(z.string().max(20)).max(1000).nullish(),
  annotations: z.array(savedAnnotation).max(100_000).nullish(),
});
type SentCategory = z.output<typeof savedCategory>;
export type SavedCategory = Omit<SentCategory, "annotations"> & { annotations?: SavedAnnotation[] };

const savedState = z.object({
  mode: z.string().nullish().catch(undefined),
  user: metadata.nullish().catch(undefined),
  dataset: z
    .object({
      annotate_url: z.string().max(2000).nullish(),
      scene: z.string().max(100).nullish(),
      installation: z.string().max(100).nullish(),
    })
    .nullish()
    .catch(undefined),
  image: z.object({ id: z.number(), metadata: metadata.nullish(), category_ids: z.array(z.number()).nullish() }),
  categories: z.array(savedCategory).max(10_000).nullish(),
});
type SentState = z.output<typeof savedState>;
export type SavedState = Omit<SentState, "categories"> & { categories?: SavedCategory[] };

/** Returns the annotations of all categories of a save. */
export const savedAnnotations = ({ categories }: SavedState): SavedAnnotation[] =>
  (categories ?? []).flatMap((category) => category.annotations ?? []);

/** A state that a thread has already read, since its body is large. A JSON body cannot produce an instance. */
export class ReadState {
  constructor(readonly state: SavedState) {}
}

/**
 * Reads a state and its paths. Throws 400 for invalid fields other than paths, and TooManyCoordinates if the paths
 * together have more than `max` coordinates: a short text can describe curves with many. `outlineOf` returns the
 * outline for a `compoundPath`, if the body has only a reference to it.
 */
export function readState(body: unknown, max: number, outlineOf = (path: unknown) => path): SavedState {
  const { categories, ...state } = parseState(body);
  const isOfPage = state.dataset?.scene != null;
  let left = max;
  let sessionsLeft = MAX_SESSIONS;
  const withPath = ({ compoundPath, ...sent }: z.output<typeof savedAnnotation>): SavedAnnotation => {
    const outline = outlineOf(compoundPath);
    const sessions = readSessions((sent.sessions ?? []).slice(0, sessionsLeft));
    sessionsLeft -= sessions.length;
    const keypoints = sent.keypoints ?? (isOfPage && isOnPage({ compoundPath, ...sent }) ? [] : undefined);
    const saved = { ...sent, ...(keypoints && { keypoints }), sessions };
    if (isEmptyPath(outline)) return saved;
    const path = readPath(outline, left);
    if ("coordinates" in path) left -= path.coordinates.length;
    return { ...saved, path };
  };
  const read = categories?.map(({ annotations, ...category }) => ({
    ...category,
    ...(annotations && { annotations: annotations.map(withPath) }),
  }));
  return { ...state, ...(read && { categories: read }) };
}

/**
 * Returns true for an annotation as the original client's page sends it. The page leaves out the keypoints of an
 * annotation that has none left.
 */
const isOnPage = ({ compoundPath, sessions, keypoints }: z.output<typeof savedAnnotation>): boolean =>
  compoundPath != null && sessions != null && keypoints === undefined;

/** Returns true if there is no path: an empty list means the same as none. */
const isEmptyPath = (path: unknown): boolean => path == null || (Array.isArray(path) && path.length === 0);

function parseState(body: unknown): SentState {
  const { data, error } = savedState.safeParse(body, { error: reasonFor });
  if (data) return data;
  const [issue] = error.issues;
  throw badRequest(INVALID_INPUT, {
    [issue?.path.map(String).join(".").slice(0, 100) || "body"]: issue?.message ?? "Invalid",
  });
}

/** Maximum number of sessions in a save. Further sessions are ignored. */
const MAX_SESSIONS = 10_000;

const savedSession = z.object({
  start: workSession.shape.start,
  milliseconds: z.number().min(0).max(86_400_000),
  tools: workSession.shape.tools.catch([]),
});
type SavedSession = z.output<typeof savedSession>;

/** Returns the valid sessions. */
const readSessions = (sessions: readonly unknown[]): SavedSession[] =>
  sessions.flatMap((value) => savedSession.safeParse(value).data ?? []);

/**
 * Returns the work sessions of a saved annotation. Older clients send them without an id and repeat them with every
 * save. An id derived from their content keeps them from being counted twice.
 */
export function sessionsOf(
  user: CurrentUser,
  imageId: number,
  uuid: string,
  sessions: readonly SavedSession[],
): WorkSession[] {
  return sessions.map(({ start, milliseconds, tools }) => ({
    uuid: uuidOf(JSON.stringify([user.id, uuid, start, milliseconds, tools])),
    image_id: imageId,
    annotation_uuid: uuid,
    start,
    milliseconds: Math.round(milliseconds),
    tools,
  }));
}

/** Derives a UUID from a text (RFC 9562, version 8). The same text gives the same UUID. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
