import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Call } from "../../../shared/api/protocol/call";
import { HttpError } from "../../base/errors";
import { makePause } from "../../threads/makePause";
import { threadsOf } from "../../threads/threads";
import type { ParsedEdit } from "../edits/parseEdit";
import { takerOf } from "../measuring/measuring";
import { makeShares } from "../measuring/shares";
import type { Question, SentAnswer } from "./bodyQuestion";
import { hasLargeBodies, nameOfCall } from "./readLargeBody";
import { ReadState } from "./savedState";

/** Bytes that are read at once: a few milliseconds. */
const SMALL = 100_000;
/** Little room for young objects: a body's numbers live until it is read, and would be copied to and fro there. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 };
/** Its memory is free again soon after. */
const IDLE_MS = 5_000;
/** One user's bodies are read one after another, and two users' at once. */
const PLACES = 2;
const PATIENCE = 8;

const shares = makeShares(PLACES, PATIENCE);
const takeThread = threadsOf<Question, SentAnswer>(new URL("./bodyWork", import.meta.url), HEAP, IDLE_MS);

/** Returns true for a body that would hold up everybody else if it were read at once. */
export const isLargeBody = (call: Call, bytes: Uint8Array): boolean => bytes.length > SMALL && hasLargeBodies(call);

/** Has a body read and checked in a thread. Throws what reading a small one throws, and 429 where a user's pile up. */
export async function readInThread(call: Call, bytes: Uint8Array, user: { id: number }): Promise<unknown> {
  const answer = await shares.take(takerOf(user), async () => {
    const thread = takeThread();
    try {
      return await thread.ask({ call: nameOfCall(call), bytes });
    } finally {
      thread.end();
    }
  });
  if ("body" in answer) return answer.body;
  if ("parsed" in answer) return { ...answer.batch, edits: [], parsed: await receiveAll(answer.parsed) };
  if ("state" in answer) return new ReadState(answer.state);
  const { status, message, errors } = answer.refusal;
  throw new HttpError(status, message, { ...(errors && { errors }) });
}

/** Receives what was posted to the port before it came here, a few milliseconds of work at a time. */
async function receiveAll(port: MessagePort): Promise<ParsedEdit[]> {
  const edits: ParsedEdit[] = [];
  const pause = makePause();
  for (;;) {
    const received = receiveMessageOnPort(port) as { message: ParsedEdit } | undefined;
    if (!received) break;
    edits.push(received.message);
    await pause();
  }
  port.close();
  return edits;
}
