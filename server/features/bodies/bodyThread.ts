import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Call } from "../../../shared/api/protocol/call";
import { restoreMove } from "../../../shared/edits/moves/moved";
import { HttpError } from "../../base/errors";
import { makePause } from "../../threads/makePause";
import { threadsOf } from "../../threads/threads";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import type { ParsedEdit } from "../edits/parseEdit";
import { makeFairQueue } from "../measuring/fairQueue";
import { requesterOf } from "../measuring/measuring";
import type { Question, SentAnswer } from "./bodyQuestion";
import { hasLargeBodies, nameOfCall } from "./readLargeBody";
import { ReadState } from "./savedState";

/**
 * Number of bytes up to which a body is read without a thread, which takes about ten milliseconds: as much as a batch
 * of 500 edits that move or label annotations. A thread takes several times the CPU time for it.
 */
const SMALL = 200_000;
/**
 * Heap limits of the thread. The young generation is small, since a body's numbers stay alive until the whole body is
 * read, and would only be copied within a larger one.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 };
/** Number of threads. A user's bodies are read one after another. */
const PLACES = 2;
/** Number of bodies of one user that may wait. */
const MAX_WAITING = 8;

const queue = makeFairQueue(PLACES, MAX_WAITING);
const takeThread = threadsOf<Question, SentAnswer>(new URL("./bodyWork", import.meta.url), HEAP);

/** Returns true for a body that would block all other requests if the main thread read it. */
export const isLargeBody = (call: Call, bytes: Uint8Array): boolean => bytes.length > SMALL && hasLargeBodies(call);

/**
 * Reads and checks a body in a thread. The bytes are moved there, so the caller cannot use them afterwards. Throws the
 * same errors as for a small body, and 429 if too many bodies of the user are waiting.
 */
export async function readInThread(call: Call, bytes: Uint8Array, user: { id: number }): Promise<unknown> {
  const answer = await queue.run(requesterOf(user), async () => {
    const thread = takeThread();
    try {
      return await thread.ask({ call: nameOfCall(call), bytes }, { transfer: wholeBufferOf(bytes) });
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

/** Returns the buffer to transfer, unless other data share it. */
function wholeBufferOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** Receives the messages that were posted before the port was transferred, a few milliseconds of work at a time. */
async function receiveAll(port: MessagePort): Promise<ParsedEdit[]> {
  const edits: ParsedEdit[] = [];
  const pause = makePause();
  for (;;) {
    const received = receiveMessageOnPort(port) as { message: ParsedEdit } | undefined;
    if (!received) break;
    const { message } = received;
    edits.push("edit" in message ? { edit: restoreMove(message.edit) as ServerEdit } : message);
    await pause();
  }
  port.close();
  return edits;
}
