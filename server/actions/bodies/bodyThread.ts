import type { Call } from "../../../shared/api/call";
import { HttpError } from "../../errors";
import { takerOf } from "../measuring/measuring";
import { makeShares } from "../measuring/shares";
import { threadsOf } from "../threads";
import type { Answer, Question } from "./bodyQuestion";
import { hasLargeBodies, nameOfCall } from "./readLargeBody";

/** Bytes that are read at once: a few milliseconds. */
const SMALL = 100_000;
const HEAP_MB = 512;
/** Its memory is free again soon after. */
const IDLE_MS = 5_000;
/** One user's bodies are read one after another, and two users' at once. */
const PLACES = 2;
const PATIENCE = 8;

const shares = makeShares(PLACES, PATIENCE);
const takeThread = threadsOf<Question, Answer>(new URL("./bodyWorker.mjs", import.meta.url), HEAP_MB, IDLE_MS);

/** Returns true for a body that would hold up everybody else if it were read at once. */
export const isLargeBody = (call: Call, bytes: Uint8Array): boolean => bytes.length > SMALL && hasLargeBodies(call);

/** Has a body read and checked in a thread. Throws what reading a small one throws, and 429 where a user's pile up. */
export async function readInThread(call: Call, bytes: Uint8Array, person: { id: number }): Promise<unknown> {
  const answer = await shares.take(takerOf(person), async () => {
    const thread = takeThread();
    try {
      return await thread.ask({ call: nameOfCall(call), bytes });
    } finally {
      thread.end();
    }
  });
  if ("body" in answer) return answer.body;
  const { status, message, errors } = answer.refusal;
  throw new HttpError(status, message, { ...(errors && { errors }) });
}
