import type { Edit, RefusalCode } from "../../../shared/edits/edit";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Json } from "../../../shared/entities/scalars";

/**
 * Names for the ids in an edit, so that the same image can be found in another installation. `path` is relative to the
 * dataset's folder, sizes are in pixels, `categories` are names by id.
 */
export interface Place {
  dataset: string;
  path: string;
  width: number;
  height: number;
  categories: Record<number, string>;
}

/** An edit in the journal. `seq` is the order in which the user made edits in this browser, across all tabs. */
export interface JournalRow {
  seq: number;
  uuid: string;
  /** The tab that made the edit. The server does not treat changes by the same client as conflicts. */
  client: string;
  image_id: number;
  edit: Edit;
  /** Highest `seq` of other tabs' edits that the tab's document contained. Used by `rebase` in settle.ts. */
  saw: number;
  /**
   * Annotations only: the fields that the edit does not change, as its author saw them. An annotation that the server
   * has lost can be created again from them. Missing in rows of earlier versions.
   */
  rest?: Partial<AnnotationFields>;
  /** Missing in rows of earlier versions. */
  place?: Place;
  /** `queued`: waits for the server. `draft`: a conflict, which waits for the user to decide. */
  state: "queued" | "draft";
  /** Conflicts only: the fields, the server's version (null: deleted), the subject's revision, and the reason. */
  fields?: string[];
  stored?: Json;
  revision?: number;
  reason?: string;
  /** Conflicts only: the user who changed the subject last, and the time as an ISO date. */
  changed_by?: string;
  changed_at?: string;
  /** Missing in conflicts of earlier versions until they are sent again. */
  code?: RefusalCode;
  /** Conflicts only: true if the server refused the edit itself, whatever others have changed. */
  isRefused?: true;
}

/** Returns a row as it was first queued, without the server's response. */
export const requeued = ({ seq, uuid, client, image_id, edit, saw, rest, place }: JournalRow): JournalRow => ({
  ...{ seq, uuid, client, image_id, edit, saw, ...(rest && { rest }), ...(place && { place }) },
  state: "queued",
});

export type NewRow = Omit<JournalRow, "seq" | "state">;
