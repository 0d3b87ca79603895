import type { FieldErrors } from "../../errors";

/** A large body, and the call that it is for: method and path as declared. */
export interface Question {
  call: string;
  bytes: Uint8Array;
}

/** The body as the call's handler takes it, or the error to be answered. */
export type Answer = { body: unknown } | { refusal: { status: number; message: string; errors?: FieldErrors } };
