import { createStore, type StoreApi } from "zustand/vanilla";
import type { Edit, RefusalCode } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import type { Json } from "../../../shared/entities/scalars";

/** An edit that the server did not take over; the person decides which version stays. */
export interface Draft {
  edit: Edit;
  fields: readonly string[];
  /** The live version, null where it is deleted. */
  stored: Json;
  /** The subject's; 0 where the server has not said it. */
  revision: number;
  reason: string;
  code?: RefusalCode;
}

/** Decision on drafts. */
export type Choice = "mine" | "theirs" | "again";

/**
 * idle: nothing to send. sending: a batch is on the way. waiting: queued, will be sent. offline: the server cannot be
 * reached. signedOut: the same person must log in again. somebodyElse: another person is logged in in this browser, as
 * whom nothing may be sent. otherInstallation: the server's data were restored or replaced, so the edits wait for review.
 * failing: the server answers with errors.
 */
export type Phase =
  | "idle"
  | "sending"
  | "waiting"
  | "offline"
  | "signedOut"
  | "somebodyElse"
  | "otherInstallation"
  | "failing";

export interface SyncState {
  phase: Phase;
  /** Edits that are on their way into this browser's journal: until then only in memory. */
  writing: number;
  /** Edits that the server has not acknowledged, of all tabs of this person in this browser. */
  pending: number;
  conflicts: readonly Draft[];
  /** For the tool bar. "not kept" goes with the page. */
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
  /** The browser could not write the journal (full or forbidden): edits are only in memory until they are sent. */
  memoryOnly: boolean;
}

export function newSyncState(): StoreApi<SyncState> {
  return createStore(() => ({
    phase: "idle",
    writing: 0,
    pending: 0,
    conflicts: [],
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

/** The drafts by what they change, each in the order in which they were made. */
export function subjectsOf<T extends Pick<Draft, "edit">>(drafts: readonly T[]): T[][] {
  const subjects = new Map<string, T[]>();
  for (const draft of drafts) {
    const key = subjectOf(draft.edit);
    subjects.set(key, [...(subjects.get(key) ?? []), draft]);
  }
  return [...subjects.values()];
}

/** True if nobody else has changed anything: the image is in the trash, or the user does not see it. */
export const isOfMissingImage = (drafts: readonly Draft[]): boolean =>
  drafts.some(({ code }) => code === "image_not_found");

/** Nothing is sent before the user has logged in again, or has reviewed what is there. */
export const isShutOut = (phase: Phase): boolean =>
  phase === "signedOut" || phase === "somebodyElse" || phase === "otherInstallation";
