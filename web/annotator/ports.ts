import type { StoreApi } from "zustand/vanilla";
import type { Edit, EditAnswer, WorkSession } from "../../shared/edits/edit";
import type { Metadata } from "../../shared/entities/scalars";
import type { Draft, SyncState } from "../sync/syncState";

/** What the annotator asks of the world outside its folder. Each port is small; the page ties them. */

/** Where edits go: each is journalled in this browser before anything else, then pushed. `web/sync` is one. */
export interface EditSink {
  record(edits: readonly Edit[]): Promise<void>;
  /** Last write wins, per key. */
  recordPreferences(preferences: Metadata): Promise<void>;
  /** Time at work. */
  recordSession(session: WorkSession): Promise<void>;
  readonly state: StoreApi<SyncState>;
  /** Pushes now. Resolves when nothing is left to push or pushing is impossible at present. */
  flush(): Promise<void>;
  /** "mine" sends the edit again on the live version, "theirs" drops it. */
  resolve(draft: Draft, choice: "mine" | "theirs"): Promise<void>;
  onAnswer(listener: (edit: Edit, answer: EditAnswer) => void): () => void;
}

/** Says something to the person: a short title, and what happened or what to do. */
export type Tell = (kind: "info" | "error", title: string, message: string) => void;
