import { join } from "node:path";
import type { Box, Part } from "../../model/dextr/base/imageSource";
import { log } from "../base/log";
import { ROOT } from "../base/root";
import { answerTo, CannotOpen, ThreadLost } from "./failure";
import type { Job, Outlines } from "./messages";
import { type ModelFile, readModelFile } from "./modelFile";
import { type OnnxThread, startOnnxThread } from "./thread";
import { makeTurns } from "./turns";
import { within } from "./within";

/** One call: whose, about what, and how to read the image. `signal` aborts when the caller goes away. */
export interface DextrCall {
  userId: number;
  job: Job;
  /** The memory of what it answers is moved. */
  read(box: Box): Promise<Part>;
  signal: AbortSignal;
}

/** DEXTR on the server: the network in a thread of its own, started by the first call, one job at a time. */
export interface Dextr {
  /**
   * Throws what `read` throws, and HttpError: 409 replaced by a newer call of the same user, 429 too many wait, 503 the
   * network cannot run, broke down, or took too long.
   */
  outline(call: DextrCall): Promise<Outlines>;
  /** The network's file; undefined when it cannot be used by anybody. */
  model(): Promise<ModelFile | undefined>;
  /** Opens the network ahead of the first call and tries it out. Throws CannotOpen, ThreadLost or TookTooLong. */
  tryOut(): Promise<void>;
  /** Refuses all calls and ends the thread. */
  close(): Promise<void>;
}

export interface DextrOptions {
  /** The network's file; the shipped one when absent. */
  file?: string;
  /** For one job, with the reading of its image. */
  limitMs?: number;
}

const SHIPPED = join(ROOT, "model", "dextr.onnx");
const LIMIT_MS = 20_000;
/** For opening the network, and for a thread that was stopped to end. */
const OPENING_MS = 20_000;
const PLACES = 4;
/** A thread whose network runs on is not waited for longer when the server stops. */
const PARTING_MS = 5000;

export function makeDextr({ file = SHIPPED, limitMs = LIMIT_MS }: DextrOptions = {}): Dextr {
  const turns = makeTurns(PLACES);
  let thread: OnnxThread | undefined;
  /** The file as it is first read: what replaces it later is not what was tried and announced. */
  let model: ModelFile | undefined;
  let absent: CannotOpen | undefined;
  let closed = false;

  const modelFile = async (): Promise<ModelFile> => {
    model ??= await readModelFile(file);
    return model;
  };

  /** Never two threads: one that does not end holds up the next. */
  const ready = async (trial: boolean): Promise<OnnxThread> => {
    if (absent) throw absent;
    if (thread?.isAlive()) return thread;
    if (thread) await within(OPENING_MS, thread.ended);
    const { sha256, size } = await modelFile();
    if (closed) throw new ThreadLost("The server stops.");
    const started = startOnnxThread({ file, sha256, size, trial });
    thread = started;
    await started.opened(OPENING_MS);
    return started;
  };

  const run = async ({ job, read }: DextrCall): Promise<Outlines> => {
    try {
      const { outline } = await ready(false);
      return await outline(job, read, limitMs);
    } catch (error) {
      if (error instanceof CannotOpen && error.isAbsent) absent = error;
      const answer = answerTo(error);
      if (answer !== error) log.error({ err: error }, "DEXTR did not answer");
      throw answer;
    }
  };

  return {
    outline: (call) => turns.take(call.userId, call.signal, () => run(call)),
    async model() {
      return modelFile().catch(() => undefined);
    },
    async tryOut() {
      await ready(true);
    },
    async close() {
      closed = true;
      turns.close();
      thread?.end();
      if (thread) await within(PARTING_MS, thread.ended).catch(() => undefined);
    },
  };
}
