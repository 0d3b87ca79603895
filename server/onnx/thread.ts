import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { Look } from "../../model/dextr/looks/look";
import { startThread } from "../threads/startThread";
import { CannotOpen, ThreadLost } from "./failure";
import type { Embedding, EmbedJob, FromThread, Job, LookJob, Opening, Outlines, ToThread } from "./messages";
import { makeNativeGate, mayTerminate } from "./nativeGate";
import { within } from "./within";

/** The thread that runs the DEXTR model and traces outlines from its output, so that neither blocks the server. */
export interface OnnxThread {
  /**
   * Waits until the model is open; call it once, before the first job. Throws CannotOpen, ThreadLost, or TookTooLong
   * after `limitMs`; the thread then ends.
   */
  opened(limitMs: number): Promise<void>;
  /**
   * Runs one job; the caller must wait for its end before starting the next. `read` returns pixels of the image, whose
   * memory is transferred; its errors are rethrown. Throws ThreadLost if the thread ends during the job, TookTooLong
   * after `limitMs`; the thread then ends.
   */
  outline(job: Job, read: (box: Box) => Promise<Part>, limitMs: number): Promise<Outlines>;
  /** Looks at an annotation, under the same conditions as `outline`. */
  look(job: LookJob, read: (box: Box) => Promise<Part>, limitMs: number): Promise<Look>;
  /** Describes a whole image, under the same conditions as `outline`. */
  embed(job: EmbedJob, limitMs: number): Promise<Embedding>;
  /** Returns true if it can run more jobs. */
  isAlive(): boolean;
  /** Ends the thread: immediately, or once the running model has finished. */
  end(): void;
  /** Resolves when the thread has ended. */
  ended: Promise<void>;
}

const HEAP_MB = 1024;
/** Time for the thread to report that it gave up a job whose image could not be read. */
const GRACE_MS = 2000;

export function startOnnxThread(opening: Omit<Opening, "gate">): OnnxThread {
  const gate = makeNativeGate();
  const workerData: Opening = { ...opening, gate };
  const worker = startThread(new URL("./work", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let waiting: { resolve: (message: FromThread) => void; reject: (error: Error) => void } | undefined;
  let lost: Error | undefined;

  const lose = (cause: string) => {
    lost ??= new ThreadLost(cause);
    waiting?.reject(lost);
  };
  worker.on("error", (error) => lose(error.message));
  worker.on("message", (message: FromThread) => waiting?.resolve(message));
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", (code) => {
      lose(`The thread ended with exit code ${code}.`);
      resolve();
    });
  });
  const end = () => {
    if (lost) return;
    lose("The thread was ended.");
    if (mayTerminate(gate)) void worker.terminate();
  };

  /** Returns the thread's next message. Ends the thread on failure, since its work then belongs to no request. */
  const next = async (deadline: number): Promise<FromThread> => {
    const reply = new Promise<FromThread>((resolve, reject) => {
      if (lost) return reject(lost);
      waiting = { resolve, reject };
    });
    try {
      return await within(deadline - performance.now(), reply);
    } catch (error) {
      end();
      throw error;
    }
  };
  const send = (message: ToThread, moved: ArrayBufferLike[] = []) =>
    worker.postMessage(
      message,
      moved.filter((buffer) => buffer instanceof ArrayBuffer),
    );

  /** Sends a job and the parts of the image that the thread asks for, until `answerOf` finds the answer in a reply. */
  const ask = async <T>(
    message: ToThread,
    answerOf: (reply: FromThread) => T | undefined,
    read: (box: Box) => Promise<Part>,
    limitMs: number,
  ): Promise<T> => {
    let deadline = performance.now() + limitMs;
    let unreadable: { error: unknown } | undefined;
    send(message);
    for (;;) {
      const reply = await next(deadline);
      const answer = answerOf(reply);
      if (answer !== undefined) return answer;
      if (!("read" in reply)) throw unreadable ? unreadable.error : new Error(`DEXTR failed: ${JSON.stringify(reply)}`);
      try {
        const part = await within(deadline - performance.now(), read(reply.read));
        send({ part }, [part.data.buffer]);
      } catch (error) {
        unreadable = { error };
        send({ unreadable: true });
        deadline = Math.max(deadline, performance.now() + GRACE_MS);
      }
    }
  };

  return {
    isAlive: () => lost === undefined,
    end,
    ended,

    async opened(limitMs) {
      const reply = await next(performance.now() + limitMs);
      if ("opened" in reply) return;
      end();
      if ("absent" in reply) throw new CannotOpen(reply.absent, true);
      throw new CannotOpen("refused" in reply ? reply.refused : "Its thread sent an unexpected message.", false);
    },

    async outline(job, read, limitMs) {
      return ask({ job }, (reply) => ("outlines" in reply ? reply.outlines : undefined), read, limitMs);
    },

    async look(lookJob, read, limitMs) {
      return ask({ lookJob }, (reply) => ("look" in reply ? reply.look : undefined), read, limitMs);
    },

    async embed(embedJob, limitMs) {
      const read = () => Promise.reject(new Error("The image was sent with the job."));
      return ask({ embedJob }, (reply) => ("embedding" in reply ? reply.embedding : undefined), read, limitMs);
    },
  };
}
