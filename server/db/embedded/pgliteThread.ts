import { Worker } from "node:worker_threads";

/** The thread of the embedded database: one question, one answer, in order. */
export interface PgliteThread {
  /** Rejects with the database's error: `code` is the SQLSTATE, other fields as pg has them. */
  query(sql: string, params: (string | Uint8Array | null)[]): Promise<TextResult>;
  /** The whole data folder as a tar, to begin other databases with. */
  dump(): Promise<ArrayBuffer>;
  close(): Promise<void>;
  /** Ends it at once, as a crash would. */
  terminate(): void;
}

/** Rows of PostgreSQL's text values; `fields` says the names and types of the columns. */
export interface TextResult {
  rows: (string | null)[][];
  fields: { name: string; dataTypeID: number }[];
  command?: string;
  rowCount?: number;
}

export interface PgliteOptions {
  /** The database's folder; absent = in memory. */
  dir?: string;
  /** File with a dump to begin with. */
  template?: string;
}

/** `trap`: its code broke down, and nothing more will come. */
type Answer = { id: number; error?: { message: string }; dump?: ArrayBuffer; trap?: string } & TextResult;
/** More than PostgreSQL's own limit (max_stack_depth) needs, so that its error comes before the thread's end. */
const STACK_MB = 64;

/** The thread says so unasked when the database is open. */
const OPENED = 0;
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

/**
 * Starts the thread and waits until the database is open. `onLost` is told when the thread ends unasked; from then on
 * every question is rejected (SQLSTATE 57P02, crash).
 */
export async function startPgliteThread(options: PgliteOptions, onLost: (error: Error) => void): Promise<PgliteThread> {
  const worker = new Worker(new URL("./pgliteWorker.mjs", import.meta.url), {
    workerData: options,
    execArgv: [],
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let open = false;
  let closing = false;
  let lost: Error | undefined;

  const lose = (cause: Error) => {
    if (lost) return;
    lost = Object.assign(new Error(`the embedded database ended: ${cause.message}`, { cause }), { code: "57P02" });
    for (const each of waiting.values()) each.reject(lost);
    waiting.clear();
    if (open && !closing) onLost(lost);
  };
  worker.on("error", lose);
  worker.on("exit", (code) => lose(new Error(closing ? "it was closed" : `its thread ended with ${code}`)));
  worker.on("message", (answer: Answer) => {
    if (answer.trap) return lose(new Error(answer.trap));
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error) question?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else question?.resolve(answer);
  });

  const ask = (question?: object) =>
    new Promise<Answer>((resolve, reject) => {
      if (lost) return reject(lost);
      const id = question ? ++lastId : OPENED;
      waiting.set(id, { resolve, reject });
      if (question) worker.postMessage({ id, ...question });
    });

  await ask();
  open = true;

  return {
    query: (sql, params) => ask({ sql, params }),
    dump: async () => (await ask({ dump: true })).dump ?? new ArrayBuffer(0),
    terminate: () => void worker.terminate(),
    async close() {
      if (closing || lost) return;
      closing = true;
      await ask({ close: true }).catch(() => undefined);
      await worker.terminate();
    },
  };
}
