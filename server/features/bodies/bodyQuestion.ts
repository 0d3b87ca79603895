import type { MessagePort } from "node:worker_threads";
import type { EditBatch } from "../../../shared/edits/edit";
import type { FieldErrors } from "../../base/errors";
import type { ParsedEdit } from "../edits/parseEdit";
import type { SavedState } from "./savedState";

/** A large body, and the method and path of its call as declared. */
export interface Question {
  call: string;
  bytes: Uint8Array;
}

/** The parsed body in the form that the call's handler expects, or the error to respond with. */
export type Answer = { body: unknown } | { state: SavedState } | ReadBatch | Refusal;

export interface Refusal {
  refusal: { status: number; message: string; errors?: FieldErrors };
}

/** A batch of parsed edits. */
export interface ReadBatch {
  batch: Omit<EditBatch, "edits">;
  parsed: ParsedEdit[];
}

/**
 * The answer as it is sent to the main thread: parsed edits are sent through a port, one message each. Receiving a
 * million coordinates as one message would block the main thread for 150 ms.
 */
export type SentAnswer = Exclude<Answer, ReadBatch> | { batch: ReadBatch["batch"]; parsed: MessagePort };
