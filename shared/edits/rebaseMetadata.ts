import type { Metadata } from "../entities/scalars";
import { same } from "./same";

/** Applies the difference between `before` and `after` to `now`, so that entries changed by other users stay. */
export function rebaseMetadata(before: Metadata, after: Metadata, now: Metadata): Metadata {
  const has = (map: Metadata, key: string) => Object.hasOwn(map, key);
  const isMine = (key: string) => has(before, key) !== has(after, key) || !same(before[key], after[key]);
  const theirs = Object.entries(now).filter(([key]) => !isMine(key));
  const mine = Object.entries(after).filter(([key]) => isMine(key));
  return Object.fromEntries([...theirs, ...mine]);
}
