// Helpers of the scripts: running a command, and hashing sources to detect changes since the last build.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

// Exits on SIGTERM, so that the exit handlers below end the processes that this script started.
process.once("SIGTERM", () => process.exit(1));

/**
 * Runs a program of node_modules/.bin (or `node`) with the terminal's streams. Returns its exit code. The program is
 * ended with this process.
 */
export function run(command, args, env = {}) {
  return waitFor(start(command, args, "inherit", env));
}

/** Runs a program by its path, like `run`. */
export function runWith(program, args) {
  return waitFor(spawn(program, args, { cwd: root, stdio: "inherit" }));
}

function waitFor(child) {
  return new Promise((resolve) => {
    const end = () => child.kill();
    process.once("exit", end);
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      process.off("exit", end);
      resolve(signal ? 1 : code);
    });
  });
}

/**
 * Runs a program like `run`, but prints its output only at its end, for steps that run beside others. A failed
 * program's output is also given to `onFailure`.
 */
export function runPrintingLater(command, args, onFailure = (_output) => {}) {
  return new Promise((resolve) => {
    const child = start(command, args, ["ignore", "pipe", "pipe"]);
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => pieces.push(piece));
    const end = () => child.kill();
    process.once("exit", end);
    child.on("error", (error) => pieces.push(Buffer.from(`${error.message}\n`)));
    child.on("close", (code) => {
      process.off("exit", end);
      const output = Buffer.concat(pieces);
      process.stdout.write(output);
      if (code !== 0) onFailure(output.toString());
      resolve(code === 0 ? 0 : 1);
    });
  });
}

function start(command, args, stdio, env = {}) {
  const program = command === "node" ? process.execPath : join(root, "node_modules", ".bin", command);
  return spawn(program, args, {
    cwd: root,
    stdio,
    env: { ...process.env, ...env },
    shell: process.platform === "win32" && command !== "node",
  });
}

/** Returns a hash of the contents of files and folders, in a fixed order. */
export function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) for (const file of filesIn(join(root, path))) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesIn(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return error.code === "ENOTDIR" ? [path] : [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]));
}
