import { rm, stat } from "node:fs/promises";
import { type BackupFile, listBackups } from "./backupFolder";
import { readHeaderOf } from "./readBackup";

/**
 * Largest step in age between two backups. Which backups are kept does not depend on a correct clock: a backup's age is
 * the number of minutes between the folder's first backup and this one. It only increases, by the time since the
 * previous backup but at most a day, so a clock that was wrong or is set back makes one step wrong by at most a day.
 */
const MOST_MINUTES = 24 * 60;

/** Number of newest backups that are always kept. */
const NEWEST = 10;
/** Also keeps the newest backup of each of the last `count` spans that have one. Spans are in minutes. */
const GENERATIONS = [
  { span: 60, count: 12 },
  { span: 24 * 60, count: 7 },
  { span: 7 * 24 * 60, count: 8 },
];

/** Number and age of a new backup of the folder. */
export interface Place {
  number: number;
  age: number;
}

export async function nextPlace(folder: string): Promise<Place> {
  const last = (await listBackups(folder)).at(-1);
  if (!last) return { number: 1, age: 0 };
  const { age, made } = await placeOf(last);
  const passed = Math.floor((Date.now() - made) / 60_000);
  return { number: last.number + 1, age: age + Math.min(MOST_MINUTES, Math.max(0, passed)) };
}

/** Removes the backups that `selectBackupsToKeep` does not return. */
export async function keepGenerations(folder: string): Promise<void> {
  const files = await listBackups(folder);
  const aged: { path: string; age: number }[] = [];
  for (const file of files) aged.push({ path: file.path, age: (await placeOf(file)).age });
  const kept = new Set(selectBackupsToKeep(aged));
  for (const file of aged) if (!kept.has(file)) await rm(file.path, { force: true });
}

/** Returns the backups to keep from a list sorted oldest first. */
export function selectBackupsToKeep<T extends { age: number }>(files: readonly T[]): T[] {
  const newestFirst = files.toReversed();
  const kept = new Set(newestFirst.slice(0, NEWEST));
  for (const { span, count } of GENERATIONS) {
    const newestOfSpan = new Map<number, T>();
    for (const file of newestFirst) {
      const index = Math.floor(file.age / span);
      if (!newestOfSpan.has(index)) newestOfSpan.set(index, file);
    }
    for (const file of [...newestOfSpan.values()].slice(0, count)) kept.add(file);
  }
  return files.filter((file) => kept.has(file));
}

/** Returns a backup's age and time. A backup without an age, or that cannot be read, gets age 0. */
async function placeOf({ path }: BackupFile): Promise<{ age: number; made: number }> {
  const header = await readHeaderOf(path).catch(() => undefined);
  const made = header?.made ?? (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
  return { age: header?.age ?? 0, made };
}
