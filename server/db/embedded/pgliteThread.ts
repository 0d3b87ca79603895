import { Worker } from "node:worker_threads";

/** The thread of the embedded database: runs queries one after another. */
export interface PgliteThread {
  /** Runs a query. Rejects with the database's error: `code` is the SQLSTATE, the other fields are as in pg. */
  query(sql: string, params: (string | Uint8Array | null)[]): Promise<TextResult>;
  /** Returns the whole data folder as a tar, usable as the template of other databases. */
  dump(): Promise<ArrayBuffer>;
  close(): Promise<void>;
  /** Ends the thread immediately, like a crash. */
  terminate(): void;
}

/** Rows with values in PostgreSQL's text format; `fields` has the names and types of the columns. */
export interface TextResult {
  rows: (string | null)[][];
  fields: { name: string; dataTypeID: number }[];
  command?: string;
  rowCount?: number;
}

export interface PgliteOptions {
  /** The database's folder; in memory if absent. */
  dir?: string;
  /** File of the dump that a new database starts from. */
  template?: string;
}

/** `trap`: the thread's code crashed, and no more messages will follow. */
type Answer = { id: number; error?: { message: string }; dump?: ArrayBuffer; trap?: string } & TextResult;
/**
 * Size of the thread's stack. Larger than PostgreSQL's own limit (max_stack_depth), so that PostgreSQL reports an error
 * before the thread crashes.
 */
const STACK_MB = 64;

/** Id of the message that the thread sends by itself when the database is open. */
const OPENED = 0;
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

/**
 * Starts the thread and waits until the database is open. `onLost` is called if the thread ends unexpectedly; from then
 * on every query rejects (SQLSTATE 57P02, crash).
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
  worker.on("exit", (code) => lose(new Error(closing ? "it was closed" : `its thread ended with exit code ${code}`)));
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
