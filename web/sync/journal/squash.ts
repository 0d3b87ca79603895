import type { AnnotationEdit, Edit } from "../../../shared/edits/edit";
import { creation } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import { type AnnotationFields, annotationFields } from "../../../shared/entities/annotation";
import type { Json } from "../../../shared/entities/scalars";
import { uuid } from "../../io/uuid";
import type { JournalRow } from "./journal";

export type Fields = Readonly<Record<string, unknown>>;

/** Fields that edits of earlier versions of Limn do not have. */
const LATER_FIELDS = { attributes: {} } as const;

/** The edits of one subject, squashed. */
interface Squashed {
  /** The changed fields, before the first edit and after the last one. */
  before: Fields;
  after: Fields;
  /** All fields of the subject that the edits mention. */
  whole: Fields;
  isCreated: boolean;
  isDeleted: boolean;
}

/**
 * State of a subject on the server, as last reported. Revision 0: the server has nothing, not even a deleted subject.
 */
interface ServerState {
  revision: number;
  isLive: boolean;
}

/** Annotations as their author saw them, by uuid. */
export type AnnotationsByUuid = ReadonlyMap<string, Partial<AnnotationFields>>;

/**
 * Squashes the conflicts of one subject, oldest first, into one new edit on the server's current version, so that the
 * user's final version wins. Creates a deleted subject again, with all fields if the server has nothing left of it, and
 * modifies an existing one. If the server has reported its version, `before` of a modification is empty, since the user
 * has chosen to overwrite that version. Returns undefined if nothing needs to be sent.
 */
export function squashRows(rows: readonly JournalRow[]): { edit: Edit; annotations: AnnotationsByUuid } | undefined {
  const last = rows.at(-1)?.edit;
  if (!last) return undefined;
  const squashed = squash(rows);
  const server = serverStateOf(rows);
  const base = server?.revision ?? Math.max(...rows.map(({ edit }) => edit.base));
  const isMade = last.subject === "annotation" || last.subject === "comment";
  const change = isMade ? changeOf(squashed, server) : modification(squashed, server);
  if (!change) return undefined;
  const annotations = new Map(last.subject === "annotation" ? [[last.target, squashed.whole]] : []);
  return { edit: { ...last, ...change, base, uuid: uuid() } as Edit, annotations };
}

/**
 * Returns the versions of a subject in conflict, from the rejected edits, oldest first. `base` is the version that they
 * were made on, as far as the edits show it; null if they created the subject. `mine` is null if they delete it,
 * `theirs` if the server has deleted it.
 */
export function versionsOf(rows: readonly Pick<JournalRow, "edit" | "rest" | "stored">[]): Versions {
  const { before, whole, isCreated, isDeleted } = squash(rows);
  const stored = rows.at(-1)?.stored ?? null;
  return {
    base: isCreated ? null : { ...whole, ...before },
    mine: isDeleted ? null : whole,
    theirs: typeof stored === "object" && !Array.isArray(stored) ? stored : null,
  };
}

export interface Versions {
  base: Fields | null;
  mine: Fields | null;
  theirs: Fields | null;
}

/**
 * Returns an edit that stores the user's version of an annotation as a new annotation beside the server's; undefined if
 * the user's version is a deletion, or the edits do not contain all fields.
 */
export function copyOfRows(
  rows: readonly Pick<JournalRow, "edit" | "rest" | "stored">[],
): { edit: AnnotationEdit; annotations: AnnotationsByUuid } | undefined {
  const last = rows.at(-1)?.edit;
  const { mine } = versionsOf(rows);
  if (last?.subject !== "annotation" || !mine) return undefined;
  const fields = annotationFields.safeParse({ ...LATER_FIELDS, ...mine });
  if (!fields.success) return undefined;
  const target = uuid();
  const edit = creation(uuid(), last.image_id, target, fields.data);
  return { edit, annotations: new Map([[target, fields.data]]) };
}

function squash(rows: readonly Pick<JournalRow, "edit" | "rest">[]): Squashed {
  return rows.reduce<Squashed>(add, { before: {}, after: {}, whole: {}, isCreated: false, isDeleted: false });
}

function add(squashed: Squashed, { edit, rest }: Pick<JournalRow, "edit" | "rest">): Squashed {
  const whole = { ...squashed.whole, ...rest, ...edit.before, ...edit.after };
  if (edit.action === "delete") return { ...squashed, whole, isDeleted: true };
  // Creating the subject again after these edits deleted it only undoes the deletion.
  const after = squashed.isDeleted ? differing(edit.after, squashed.whole) : edit.after;
  return {
    before: { ...edit.before, ...squashed.before },
    after: { ...squashed.after, ...after },
    whole,
    isCreated: squashed.isCreated || (edit.action === "create" && !squashed.isDeleted),
    isDeleted: false,
  };
}

const differing = (after: Fields, before: Fields): Fields =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(value, before[key])));

type ChangeOfAnnotation = Pick<AnnotationEdit, "action" | "before" | "after">;

function changeOf(squashed: Squashed, server: ServerState | undefined): ChangeOfAnnotation | undefined {
  const { before, after, whole, isCreated, isDeleted } = squashed;
  const exists = server ? server.isLive : !isCreated;
  if (isDeleted) return exists ? { action: "delete", before: whole, after: {} } : undefined;
  if (exists) return modification(squashed, server);
  // A deleted annotation keeps its other fields on the server, as other users left them.
  const isKnown = server !== undefined && server.revision > 0;
  return { action: "create", before, after: isKnown ? { ...before, ...after } : whole };
}

function modification({ before, after }: Squashed, server: ServerState | undefined): ChangeOfAnnotation | undefined {
  if (Object.keys(after).length === 0) return undefined;
  return { action: "modify", before: server ? {} : before, after };
}

function serverStateOf(rows: readonly JournalRow[]): ServerState | undefined {
  const states = rows.flatMap(({ stored = null, revision }): ServerState[] => {
    const known = revisionOf(stored) ?? revision;
    return known === undefined ? [] : [{ revision: known, isLive: stored !== null }];
  });
  return states.at(-1);
}

export function revisionOf(stored: Json): number | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  return typeof stored.revision === "number" ? stored.revision : undefined;
}
