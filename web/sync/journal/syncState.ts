import { createStore, type StoreApi } from "zustand/vanilla";
import type { Edit, RefusalCode } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Json } from "../../../shared/entities/scalars";
import type { Place } from "./journal";

/** An edit that the server rejected; the user decides which version to keep. */
export interface Conflict {
  edit: Edit;
  fields: readonly string[];
  /** The server's version, null if deleted. */
  stored: Json;
  /** Revision of the subject; 0 if the server has not reported it. */
  revision: number;
  reason: string;
  code?: RefusalCode;
  /** True if the server refused the edit itself, whatever others have changed. */
  isRefused?: true;
  /** The user who changed the subject last, and the time as an ISO date, if the server has reported them. */
  changed_by?: string;
  changed_at?: string;
  /** Annotations only: the fields that the edit does not change, as its author saw them. */
  rest?: Partial<AnnotationFields>;
  /** Names for the ids in the edit. */
  place?: Place;
}

/**
 * Decision on conflicts: keep the user's version, keep the server's, keep both (the user's as a new annotation), or
 * send the edits again.
 */
export type Choice = "mine" | "theirs" | "both" | "again";

/**
 * idle: nothing to send. sending: a batch is being sent. waiting: queued, will be sent. offline: the server cannot be
 * reached. signedOut: the user must log in again. otherUser: another user is logged in in this browser, so nothing may
 * be sent. otherInstallation: the server's data was restored or replaced, so the edits wait for review. failing: the
 * server responds with errors.
 */
export type Phase =
  | "idle"
  | "sending"
  | "waiting"
  | "offline"
  | "signedOut"
  | "otherUser"
  | "otherInstallation"
  | "failing";

export interface SyncState {
  phase: Phase;
  /** Number of running writes to the journal; their edits are only in memory until the writes end. */
  writing: number;
  /** Number of edits that the server has not acknowledged, of all tabs of the user in this browser. */
  pending: number;
  conflicts: readonly Conflict[];
  /** True once the journal has been read; before that, `pending` and `conflicts` are not known. */
  isRead: boolean;
  /** True if the last read of the journal failed: `pending` and `conflicts` may lack edits of earlier pages. */
  isUnreadable: boolean;
  /** Save state shown to the user. "not kept": edits are lost when the page closes. */
  status:
    | "saved here"
    | "saved"
    | "saving"
    | "conflict"
    | "offline"
    | "signed out"
    | "for review"
    | "failing"
    | "not kept";
  /** True if the browser could not write the journal (full or forbidden): edits are only in memory until sent. */
  memoryOnly: boolean;
}

export function newSyncState(): StoreApi<SyncState> {
  return createStore(() => ({
    phase: "idle",
    writing: 0,
    pending: 0,
    conflicts: [],
    isRead: false,
    isUnreadable: false,
    status: "saved",
    memoryOnly: false,
  }));
}

export function statusOf({
  phase,
  writing,
  pending,
  conflicts,
  memoryOnly,
}: Pick<SyncState, "phase" | "writing" | "pending" | "conflicts" | "memoryOnly">): SyncState["status"] {
  if (phase === "otherInstallation" && pending + conflicts.length > 0 && !memoryOnly) return "for review";
  if (conflicts.length > 0) return "conflict";
  if (writing > 0) return "saving";
  if (pending === 0) return "saved";
  if (memoryOnly) return "not kept";
  if (isShutOut(phase)) return "signed out";
  if (phase === "offline" || phase === "failing") return phase;
  return phase === "sending" ? "saving" : "saved here";
}

/** Returns true if no known edit is pending, but edits of earlier pages may be: the journal could not be read. */
export const mayHideEdits = ({ status, isUnreadable }: Pick<SyncState, "status" | "isUnreadable">): boolean =>
  status === "saved" && isUnreadable;

/** Groups conflicts by subject, each group in the order in which the edits were made. */
export function subjectsOf<T extends Pick<Conflict, "edit">>(conflicts: readonly T[]): T[][] {
  const subjects = new Map<string, T[]>();
  for (const conflict of conflicts) {
    const key = subjectOf(conflict.edit);
    subjects.set(key, [...(subjects.get(key) ?? []), conflict]);
  }
  return [...subjects.values()];
}

/** Returns true if no other change is the reason, but the image is in the trash or the user may not see it. */
export const isOfMissingImage = (conflicts: readonly Conflict[]): boolean =>
  conflicts.some(({ code }) => code === "image_not_found");

/**
 * Returns true if no other change is the reason: the user may not change the image, or not even see it, or the server
 * refused the edits themselves, for example because their category was deleted. All conflicts are of one subject.
 */
export const isBarred = (conflicts: readonly Conflict[]): boolean =>
  isOfMissingImage(conflicts) ||
  conflicts.some(({ code }) => code === "read_only") ||
  (refusalIn(conflicts) !== undefined && conflicts.every(({ isRefused, code }) => isRefused || code === "not_found"));

/** Returns the refusal whose reason explains the others: edits of an annotation that was not created find none. */
export const refusalIn = (conflicts: readonly Conflict[]): Conflict | undefined =>
  conflicts.find(({ isRefused }) => isRefused);

/** Returns true if nothing is sent until the user has logged in again or has reviewed the edits. */
export const isShutOut = (phase: Phase): boolean =>
  phase === "signedOut" || phase === "otherUser" || phase === "otherInstallation";
