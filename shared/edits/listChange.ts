import type { Metadata } from "../entities/scalars";
import { same } from "./same";

/** A user's change to a list of names: sent instead of the list, it takes nothing away that others have added meanwhile. */
export function namesChange(before: readonly string[], after: readonly string[]): { add: string[]; remove: string[] } {
  return {
    add: after.filter((name) => !before.includes(name)),
    remove: before.filter((name) => !after.includes(name)),
  };
}

/** A user's change to metadata: entries that are new or changed, and keys that are gone. */
export function metadataChange(before: Metadata, after: Metadata): { set: Metadata; remove: string[] } {
  const isNew = ([key]: [string, unknown]) => !Object.hasOwn(before, key) || !same(before[key], after[key]);
  return {
    set: Object.fromEntries(Object.entries(after).filter(isNew)),
    remove: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  };
}
