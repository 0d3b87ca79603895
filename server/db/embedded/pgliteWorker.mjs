// @ts-check
// The embedded PostgreSQL, in its own thread so that a long query does not block the server. Plain JavaScript, since
// threads have no TypeScript loader. Values are passed as PostgreSQL's text: pglitePool.ts converts them as pg does.

import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

if (!parentPort) throw new Error("pgliteWorker.mjs must run in a worker thread");
const port = parentPort;

/** @type {{ dir?: string, template?: string }} dir: the folder, in memory if absent; template: a dump to start from. */
const { dir, template } = workerData;

const db = await PGlite.create({
  ...(dir ? { dataDir: dir } : {}),
  ...(template ? { loadDataDir: new Blob([await readFile(template)]) } : {}),
});
const asText = new Proxy({}, { get: () => (/** @type {unknown} */ value) => value });
db.parsers = asText;
db.serializers = asText;

const ERROR_FIELDS = ["code", "severity", "detail", "hint", "constraint", "table", "column", "schema", "routine"];

/** @param {unknown} error */
function plainError(error) {
  if (!(error instanceof Error)) return { message: String(error) };
  const fields = ERROR_FIELDS.map((name) => [name, Reflect.get(error, name)]);
  return { message: error.message, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

endOnTrap();

/**
 * Ends the thread after a trap in PGlite's WebAssembly code (an abort because the write-ahead log cannot be written, a
 * stack overflow, a bad memory access). PGlite swallows traps: it returns nothing, or calls the code again in an
 * endless loop, and its results can no longer be trusted. A statement's error also exits the code, but with a known
 * status; it is not a trap.
 */
function endOnTrap() {
  const code = Reflect.get(db, "mod");
  const usual = Reflect.get(db, "POSTGRES_MAIN_LONGJMP");
  const run = code?._PostgresMainLoopOnce;
  if (typeof run !== "function" || typeof usual !== "number")
    throw new Error("this version of PGlite is not supported");
  code._PostgresMainLoopOnce = () => {
    try {
      return run();
    } catch (error) {
      if (Object(error).status === usual) throw error;
      port.postMessage({ trap: `${error}` });
      process.exit(1);
    }
  };
}

/** @param {{ id: number, sql: string, params: (string | Uint8Array | null)[] }} message */
async function answer({ id, sql, params }) {
  try {
    const { rows, fields, command, rowCount } = await db.query(sql, params, { rowMode: "array" });
    if (!command) throw new Error(`a statement was not finished: ${sql.slice(0, 200)}`);
    port.postMessage({ id, rows, fields, command, rowCount });
  } catch (error) {
    port.postMessage({ id, error: plainError(error) });
  }
}

port.on("message", async (message) => {
  if (message.sql !== undefined) return answer(message);
  if (message.dump !== undefined) {
    const dump = await db.dumpDataDir("none");
    port.postMessage({ id: message.id, dump: await dump.arrayBuffer() });
    return;
  }
  await db.close();
  port.postMessage({ id: message.id });
  port.close();
});
port.postMessage({ id: 0 });
