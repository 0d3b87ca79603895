import type { MessagePort } from "node:worker_threads";
import type { EditBatch } from "../../../shared/edits/edit";
import type { FieldErrors } from "../../base/errors";
import type { ParsedEdit } from "../edits/parseEdit";
import type { SavedState } from "./savedState";

/** A large body, and the call that it is for: method and path as declared. */
export interface Question {
  call: string;
  bytes: Uint8Array;
}

/** The body as the call's handler takes it, or the error to respond with. */
export type Answer = { body: unknown } | { state: SavedState } | ReadBatch | Refusal;

export interface Refusal {
  refusal: { status: number; message: string; errors?: FieldErrors };
}

/** A batch of edits that are parsed. */
export interface ReadBatch {
  batch: Omit<EditBatch, "edits">;
  parsed: ParsedEdit[];
}

/**
 * The answer as it passes to the other thread: a port holds the parsed edits, one message each. Taking over a million
 * coordinates as one message would hold up everybody for 150 ms.
 */
export type SentAnswer = Exclude<Answer, ReadBatch> | { batch: ReadBatch["batch"]; parsed: MessagePort };
