import { readFileSync } from "node:fs";

/** Returns the resident memory of a process in MB, current and peak. */
export const memory = (pid: number) => status(pid, "VmRSS");
export const peakMemory = (pid: number) => status(pid, "VmHWM");

function status(pid: number, key: string): number {
  const line = new RegExp(`${key}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}
