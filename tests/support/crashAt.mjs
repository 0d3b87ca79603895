// @ts-check
// Test preload, used by NODE_OPTIONS="--import …": ends the process, like `kill -9`, right before it sends the
// CRASH_AT-th SQL statement, counted from the first one that matches the regular expression CRASH_AFTER. Works on
// either database.

import { Worker } from "node:worker_threads";
import pg from "pg";

const at = Number(process.env.CRASH_AT);
const after = new RegExp(process.env.CRASH_AFTER ?? "", "i");
let count = 0;

/** @param {unknown} text */
function note(text) {
  if (typeof text !== "string" || (count === 0 && !after.test(text))) return;
  if (++count === at) process.kill(process.pid, "SIGKILL");
}

const post = Worker.prototype.postMessage;
/** @param {[any, ...any]} parameters */
Worker.prototype.postMessage = function (...parameters) {
  note(parameters[0]?.sql);
  return post.apply(this, parameters);
};

const query = pg.Client.prototype.query;
/** @param {[any, ...any]} parameters */
pg.Client.prototype.query = function (...parameters) {
  note(parameters[0]?.text ?? parameters[0]);
  return query.apply(this, /** @type {any} */ (parameters));
};
