import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CocoTextRow } from "../coco/annotationPages";
import type { FormatContext, PictureFormat, PictureInZip } from "./format";

/**
 * The thread that makes pictures' files: painting masks and following outlines of one large picture takes a second, in
 * which the server would answer nobody.
 */
export interface PictureThread {
  /** One question at a time. Throws an Error for people where the format cannot say this dataset. */
  ask(question: Question): Promise<Answer>;
  /** After the last answer; before it what is being done is given up. */
  end(): void;
}

export type ThreadData = Omit<FormatContext, "note"> & { format: PictureFormat };

/** Files that say what is in the others, before and after them; or those of pictures. The head comes first. */
export type Question =
  | { part: "head"; data: ThreadData }
  | { part: "pictures"; pieces: readonly Piece[] }
  | { part: "tail" };

/** Some annotations of a picture; those of the last piece are its last. */
export interface Piece {
  picture: PictureInZip;
  rows: readonly DrawnText[];
  isLast: boolean;
}

/** What the thread needs of a row, the shape as JSON. */
export type DrawnText = Pick<
  CocoTextRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "keypoints" | "extra"
>;

export interface Answer {
  /** Of each piece, those of pictures that are complete; of the head and the tail, as if of one piece. */
  done: Done[];
  /** Annotations that came into files. */
  annotations: number;
  /** What was left out, and of which annotation. */
  told: { text: string; id: number }[];
}

export interface Done {
  files: WholeFile[];
  /** Where the picture itself goes. */
  imagePath: string;
}

export interface WholeFile {
  path: string;
  content: string | Uint8Array;
  isPacked?: boolean | undefined;
}

const HEAP_MB = 1024;
/** A thread takes half a second to start: it waits as long for the next export. */
const IDLE_MS = 60_000;
const idle = new Set<Worker>();

/** A thread that waits, or a new one. It is the caller's until its end. */
export function takePictureThread(): PictureThread {
  const [waiting] = idle;
  const worker = waiting ?? startWorker();
  idle.delete(worker);
  worker.ref();
  let isBusy = false;
  return {
    async ask(question) {
      if (worker.threadId < 0) throw new Error("The thread of the pictures' files has ended.");
      isBusy = true;
      worker.postMessage(question);
      // Rejects when the thread breaks down meanwhile.
      const [answer] = (await once(worker, "message")) as [Answer | { failed: string }];
      isBusy = false;
      if ("failed" in answer) throw new Error(answer.failed);
      return answer;
    },
    end() {
      if (isBusy) void worker.terminate();
      else letWait(worker);
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./pictureWorker.mjs", import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.on("error", () => idle.delete(worker));
  return worker;
}

/** It does not keep the process alive. */
function letWait(worker: Worker): void {
  worker.unref();
  idle.add(worker);
  setTimeout(() => {
    if (idle.delete(worker)) void worker.terminate();
  }, IDLE_MS).unref();
}
