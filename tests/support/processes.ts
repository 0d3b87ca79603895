import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A program of ours as a process of its own, ended after the tests at the latest. */
export interface Program {
  child: ChildProcess;
  /** Lines written so far, standard output and errors together. */
  lines: string[];
  /** The first line that matches. Rejects when the program ends before. */
  line(pattern: RegExp): Promise<string>;
  /** The exit code, or the signal's name. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
}

/** `path`: its TypeScript source, in the server or in tests/support. What runs is what was built from it. */
export function startProgram(path: string, args: string[] = [], env: Record<string, string | undefined> = {}): Program {
  const child = spawn(process.execPath, ["--enable-source-maps", builtFrom(path), ...args], {
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

/** The JavaScript file that scripts/buildServer.mjs makes of a TypeScript source. */
function builtFrom(source: string): string {
  return join("dist", source.replace(/\.ts$/, ".js"));
}
