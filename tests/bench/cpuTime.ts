import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns CPU milliseconds, user and system, that a process has used: in all its threads, or in its first thread alone.
 */
export const cpuOfProcess = (pid: number): number => cpuIn(`/proc/${pid}/stat`);
export const cpuOfMainThread = (pid: number): number => cpuIn(`/proc/${pid}/task/${pid}/stat`);

/** Returns the same sum for a process's living children. */
export function cpuOfChildren(pid: number): number {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return children.reduce((sum, child) => sum + cpuIn(`/proc/${child}/stat`), 0);
}

const MS_A_TICK = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** proc(5): fields are counted after the program's name, which may contain spaces. */
function fieldsOf(path: string): string[] {
  try {
    const text = readFileSync(path, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

const parentOf = (pid: string): number => Number(fieldsOf(`/proc/${pid}/stat`)[1]);

function cpuIn(path: string): number {
  const fields = fieldsOf(path);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_A_TICK;
}
