import { createHash } from "node:crypto";
import { z } from "zod";
import { type WorkSession, workSession } from "../../../shared/edits/edit";
import { color, metadata } from "../../../shared/entities/scalars";
import { INVALID_INPUT, reasonFor } from "../../../shared/rules/reasonFor";
import { badRequest } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import { readPath, type SavedPath } from "./savedPath";

/**
 * The state that older clients send whole. Only these keys are read; of lists, items of another form are passed over
 * where they name something (an id, a session), and refused where they are work (a shape, keypoints).
 */
const savedAnnotation = z.object({
  id: z.number(),
  isbbox: z.boolean().nullish(),
  color: color.nullish().catch(undefined),
  metadata: metadata.nullish(),
  /** The original client leaves gaps, which JSON writes as null, before a triple for which there is no label. */
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
/** As it was sent, but for its path, which is read. */
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
    .object({ annotate_url: z.string().max(2000).nullish(), scene: z.string().max(100).nullish() })
    .nullish()
    .catch(undefined),
  image: z.object({ id: z.number(), metadata: metadata.nullish(), category_ids: z.array(z.number()).nullish() }),
  categories: z.array(savedCategory).max(10_000).nullish(),
});
type SentState = z.output<typeof savedState>;
export type SavedState = Omit<SentState, "categories"> & { categories?: SavedCategory[] };

/** A state that was read before, since it is long. JSON cannot make one. */
export class ReadState {
  constructor(readonly state: SavedState) {}
}

/**
 * Reads a state and the paths in it. Throws 400 on what cannot be read but for paths, and TooManyCoordinates where the
 * paths together have more than `most` coordinates: curves are short to write.
 */
export function readState(body: unknown, most: number): SavedState {
  const { categories, ...state } = parseState(body);
  let left = most;
  let sessionsLeft = MOST_SESSIONS;
  const withPath = ({ compoundPath, ...sent }: z.output<typeof savedAnnotation>): SavedAnnotation => {
    const sessions = readSessions((sent.sessions ?? []).slice(0, sessionsLeft));
    sessionsLeft -= sessions.length;
    const saved = { ...sent, sessions };
    if (isNothing(compoundPath)) return saved;
    const path = readPath(compoundPath, left);
    if ("coordinates" in path) left -= path.coordinates.length;
    return { ...saved, path };
  };
  const read = categories?.map(({ annotations, ...category }) => ({
    ...category,
    ...(annotations && { annotations: annotations.map(withPath) }),
  }));
  return { ...state, ...(read && { categories: read }) };
}

/** An empty list says as much as none. */
const isNothing = (path: unknown): boolean => path == null || (Array.isArray(path) && path.length === 0);

function parseState(body: unknown): SentState {
  const { data, error } = savedState.safeParse(body, { error: reasonFor });
  if (data) return data;
  const [issue] = error.issues;
  throw badRequest(INVALID_INPUT, {
    [issue?.path.map(String).join(".").slice(0, 100) || "body"]: issue?.message ?? "Invalid",
  });
}

/** Of a save; those beyond are passed over. */
const MOST_SESSIONS = 10_000;

const savedSession = z.object({
  start: workSession.shape.start,
  milliseconds: z.number().min(0).max(86_400_000),
  tools: workSession.shape.tools.catch([]),
});
type SavedSession = z.output<typeof savedSession>;

/** Those that can be read. */
const readSessions = (sessions: readonly unknown[]): SavedSession[] =>
  sessions.flatMap((value) => savedSession.safeParse(value).data ?? []);

/**
 * Sessions of a saved annotation. They have no name of their own: one made of what they say keeps a session that is sent
 * with every save from being counted again.
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

/** A uuid that is the same for the same text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
