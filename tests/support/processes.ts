import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll } from "vitest";
import { NODE_FLAGS } from "./nodeFlags";

/** A program of this repository as a separate process, which ends after the tests at the latest. */
export interface Program {
  child: ChildProcess;
  /** Lines written so far, standard output and errors together. */
  lines: string[];
  /** Returns the first line that matches. Rejects if the program ends before it. */
  line(pattern: RegExp): Promise<string>;
  /** Exit code, or the name of the signal. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
}

/** `path` is the program's TypeScript source, in server or tests/support. The built JavaScript is run. */
export function startProgram(path: string, args: string[] = [], env: Record<string, string | undefined> = {}): Program {
  const child = spawn(process.execPath, [...NODE_FLAGS, builtFrom(path), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watch of watchers) watch();
  };
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      changed();
    });
  }
  let over = false;
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => {
      over = true;
      changed();
      resolve(code ?? signal ?? "");
    });
  });
  afterAll(async () => {
    if (!over) child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    lines,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined && !over) return;
          watchers.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`ended without ${pattern}:\n${lines.join("\n")}`));
        };
        watchers.add(look);
        look();
      }),
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Returns the JavaScript file that scripts/buildServer.mjs builds from a TypeScript source. */
function builtFrom(source: string): string {
  return join("dist", source.replace(/\.ts$/, ".js"));
}
