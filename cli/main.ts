import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { run } from "./run";

/** Entry point of `npm run cli`. */

const interruption = new AbortController();
process.on("SIGINT", () => {
  if (interruption.signal.aborted) process.exit(130);
  interruption.abort(new Error("Interrupted."));
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  signal: interruption.signal,
  out: process.stdout,
  err: process.stderr,
  readSecret,
});

/** Reads a line. On a terminal, asks for it and does not show what is typed. */
async function readSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  const silent = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  lines.on("SIGINT", () => interruption.abort(new Error("Interrupted.")));
  if (isTerminal) process.stderr.write(question);
  try {
    return await lines.question("", { signal: interruption.signal });
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write("\n");
  }
}
