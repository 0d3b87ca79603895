// @ts-check
// The embedded PostgreSQL, in a thread of its own so that a long query does not stop the server. Plain JavaScript, since
// a thread gets no TypeScript loader. Values go in and out as PostgreSQL's text: pglitePool.ts translates them as pg does.

import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

if (!parentPort) throw new Error("pgliteWorker runs as a thread only");
const port = parentPort;

/** @type {{ dir?: string, template?: string }} dir: the folder, else in memory; template: a dump to begin with. */
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

/** PGlite swallows traps of its WebAssembly code (stack overflow, bad memory access) and answers with nothing. */
class UnfinishedError extends Error {
  /** @param {string} sql */
  constructor(sql) {
    super(`a statement was not finished: ${sql.slice(0, 200)}`);
  }
}

/** Then nothing that it answers can be trusted, and the thread ends.
 * @param {unknown} error */
function isBroken(error) {
  return error instanceof UnfinishedError || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** @param {{ id: number, sql: string, params: (string | Uint8Array | null)[] }} message */
async function answer({ id, sql, params }) {
  try {
    const { rows, fields, command, rowCount } = await db.query(sql, params, { rowMode: "array" });
    if (!command) throw new UnfinishedError(sql);
    port.postMessage({ id, rows, fields, command, rowCount });
  } catch (error) {
    if (isBroken(error)) throw error;
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
