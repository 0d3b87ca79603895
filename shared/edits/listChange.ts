import type { Metadata } from "../entities/scalars";
import { same } from "./same";

/** Returns a user's change to a list of names. Sent instead of the list, it keeps names that other users have added. */
export function namesChange(before: readonly string[], after: readonly string[]): { add: string[]; remove: string[] } {
  return {
    add: after.filter((name) => !before.includes(name)),
    remove: before.filter((name) => !after.includes(name)),
  };
}

/** Returns a user's change to metadata: new and changed entries, and removed keys. */
export function metadataChange(before: Metadata, after: Metadata): { set: Metadata; remove: string[] } {
  const isNew = ([key]: [string, unknown]) => !Object.hasOwn(before, key) || !same(before[key], after[key]);
  return {
    set: Object.fromEntries(Object.entries(after).filter(isNew)),
    remove: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  };
}
