import { join } from "node:path";
import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { Look } from "../../model/dextr/looks/look";
import { log } from "../base/log";
import { ROOT } from "../base/root";
import { CannotOpen, errorForUser, ThreadLost } from "./failure";
import type { Embedding, EmbedJob, Job, LookJob, Outlines } from "./messages";
import { type ModelFile, readModelFile } from "./modelFile";
import { type OnnxThread, startOnnxThread } from "./thread";
import { makeTurns } from "./turns";
import { within } from "./within";

/** A user's call to DEXTR, with a function to read the image. `signal` aborts when the caller disconnects. */
export interface DextrCall<J = Job> {
  /** The user's id, or a number below 0 that stands for a task. */
  userId: number;
  job: J;
  /** Reads pixels of the image. The memory of the result is transferred to the thread. */
  read(box: Box): Promise<Part>;
  signal: AbortSignal;
}

/** DEXTR on the server. The model runs in its own thread, which the first call starts, and does one job at a time. */
export interface Dextr {
  /**
   * Returns the outlines of the object. Throws the errors of `read`, and HttpError: 409 if replaced by a newer call of
   * the same user, 429 if too many calls wait, 503 if the model cannot run, crashed, or took too long.
   */
  outline(call: DextrCall): Promise<Outlines>;
  /** Compares an annotation with the outline of its own extreme points, and describes it. Throws as `outline` does. */
  look(call: DextrCall<LookJob>): Promise<Look>;
  /** Describes a whole image. Throws as `outline` does. */
  embed(call: Omit<DextrCall<EmbedJob>, "read">): Promise<Embedding>;
  /** Returns true while a user's call waits or runs, and for some seconds after it began. */
  isWanted(): boolean;
  /**
   * Returns another DEXTR with the same file and its own thread, for a task. The caller must close it. Only one with
   * `isTapped` describes what it looks at, and whole images.
   */
  another(options?: Pick<DextrOptions, "isTapped">): Dextr;
  /** Returns the model's file; undefined if it cannot be read or does not match its manifest. */
  model(): Promise<ModelFile | undefined>;
  /** Opens the model before the first call and tests it. Throws CannotOpen, ThreadLost or TookTooLong. */
  tryOut(): Promise<void>;
  /** Refuses all calls and ends the thread. */
  close(): Promise<void>;
}

export interface DextrOptions {
  /** The model's file; by default the bundled one. */
  file?: string;
  /** Time limit in milliseconds for one job, including reading its image. */
  limitMs?: number;
  /** Time limit in milliseconds for opening the model, and for a stopped thread to end. */
  openingMs?: number;
  /** Opens the model with an inner layer as a further output, for looks. */
  isTapped?: boolean;
}

const SHIPPED = join(ROOT, "model", "dextr.onnx");
const LIMIT_MS = 20_000;
const OPENING_MS = 60_000;
/** Time in milliseconds after which a user who has made no further call is assumed to need none. */
const WANTED_MS = 3000;
/** Maximum number of calls that wait. */
const PLACES = 4;
/** Time limit for a running thread to end when the server stops. */
const STOP_MS = 5000;

export function makeDextr(options: DextrOptions = {}): Dextr {
  const { file = SHIPPED, limitMs = LIMIT_MS, openingMs = OPENING_MS, isTapped = false } = options;
  const turns = makeTurns(PLACES);
  let thread: OnnxThread | undefined;
  /** The file as first read. A file that replaces it later is not used, since it was neither tested nor announced. */
  let model: ModelFile | undefined;
  let absent: CannotOpen | undefined;
  let closed = false;
  let wantedUntil = 0;
  let users = 0;

  const modelFile = async (): Promise<ModelFile> => {
    model ??= await readModelFile(file);
    return model;
  };

  /** Returns the open thread, or starts one. Waits for the previous one to end, so that there are never two. */
  const ready = async (trial: boolean): Promise<OnnxThread> => {
    if (absent) throw absent;
    if (thread?.isAlive()) return thread;
    if (thread) await within(openingMs, thread.ended);
    const { sha256, size } = await modelFile();
    if (closed) throw new ThreadLost("The server is stopping.");
    const started = startOnnxThread({ file, sha256, size, trial, isTapped });
    thread = started;
    await started.opened(openingMs);
    return started;
  };

  const run = async <T>(work: (thread: OnnxThread) => Promise<T>): Promise<T> => {
    try {
      return await work(await ready(false));
    } catch (error) {
      if (error instanceof CannotOpen && error.isAbsent) absent = error;
      const shown = errorForUser(error);
      if (shown !== error) log.error({ err: error }, "DEXTR failed");
      throw shown;
    }
  };

  return {
    async outline({ userId, job, read, signal }) {
      const work = () => run((opened) => opened.outline(job, read, limitMs));
      if (userId < 0) return turns.take(userId, signal, work);
      wantedUntil = performance.now() + WANTED_MS;
      users++;
      return turns.take(userId, signal, work).finally(() => users--);
    },
    async look({ userId, job, read, signal }) {
      return turns.take(userId, signal, () => run((opened) => opened.look(job, read, limitMs)));
    },
    async embed({ userId, job, signal }) {
      return turns.take(userId, signal, () => run((opened) => opened.embed(job, limitMs)));
    },
    isWanted: () => users > 0 || performance.now() < wantedUntil,
    another: (more) => makeDextr({ ...options, isTapped: false, ...more }),
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
      if (thread) await within(STOP_MS, thread.ended).catch(() => undefined);
    },
  };
}
