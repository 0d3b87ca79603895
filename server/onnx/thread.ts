import type { Box, Part } from "../../model/dextr/base/imageSource";
import { startThread } from "../threads/startThread";
import { CannotOpen, ThreadLost } from "./failure";
import type { FromThread, Job, Opening, Outlines, ToThread } from "./messages";
import { makeNativeGate, mayTerminate } from "./nativeGate";
import { within } from "./within";

/** The thread in which the network runs, so that neither the network nor the recipe holds up the server. */
export interface OnnxThread {
  /**
   * Waits until the network is open, once, before the first job. Throws CannotOpen, ThreadLost, or TookTooLong after
   * `limitMs`: then the thread is ended.
   */
  opened(limitMs: number): Promise<void>;
  /**
   * Does one job; the caller waits for its end before the next. `read` gives pixels of the image, whose memory is
   * moved; what it throws is thrown. Throws ThreadLost when the thread ends meanwhile, TookTooLong after `limitMs`: then
   * the thread is ended.
   */
  outline(job: Job, read: (box: Box) => Promise<Part>, limitMs: number): Promise<Outlines>;
  /** True if it can do more jobs. */
  isAlive(): boolean;
  /** Ends it: at once, or when the network that runs has come to its end. */
  end(): void;
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

const HEAP_MB = 1024;
/** For the thread to say that it gave up a job whose image could not be read. */
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
      lose(`The thread ended with ${code}.`);
      resolve();
    });
  });
  const end = () => {
    if (lost) return;
    lose("The thread was ended.");
    if (mayTerminate(gate)) void worker.terminate();
  };

  /** Returns the thread's next message. On failure the thread is ended: its work belongs to no request. */
  const next = async (deadline: number): Promise<FromThread> => {
    const said = new Promise<FromThread>((resolve, reject) => {
      if (lost) return reject(lost);
      waiting = { resolve, reject };
    });
    try {
      return await within(deadline - performance.now(), said);
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

  return {
    isAlive: () => lost === undefined,
    end,
    ended,

    async opened(limitMs) {
      const said = await next(performance.now() + limitMs);
      if ("opened" in said) return;
      end();
      if ("absent" in said) throw new CannotOpen(said.absent, true);
      throw new CannotOpen("refused" in said ? said.refused : "Its thread said something else.", false);
    },

    async outline(job, read, limitMs) {
      let deadline = performance.now() + limitMs;
      let unreadable: { error: unknown } | undefined;
      send({ job });
      for (;;) {
        const said = await next(deadline);
        if ("outlines" in said) return said.outlines;
        if (!("read" in said)) throw unreadable ? unreadable.error : new Error(`DEXTR failed: ${JSON.stringify(said)}`);
        try {
          const part = await within(deadline - performance.now(), read(said.read));
          send({ part }, [part.data.buffer]);
        } catch (error) {
          unreadable = { error };
          send({ unreadable: true });
          deadline = Math.max(deadline, performance.now() + GRACE_MS);
        }
      }
    },
  };
}
