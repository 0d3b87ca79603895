import { same } from "../../../shared/edits/same";
import type { Metadata } from "../../../shared/entities/scalars";
import { isDroppedEntry, isReturnedTriple, isReturnedValue } from "../measuring/returned";

/** A merged value. `lost`: true if another user changed the same part, whose value then wins. */
export interface Merged<T> {
  value: T;
  lost: boolean;
}

/** Values to compare a returned value with. */
export interface Versions<T> {
  /** Value on the page before. */
  before: T;
  /** Value stored when the page had the value `before`. */
  base: T;
  /** Value stored now. */
  stored: T;
}

/** Merges the entries that the page's user changed into the stored metadata. */
export function mergeMetadata(got: Metadata, { before, base, stored }: Versions<Metadata>): Merged<Metadata> {
  const value = { ...stored };
  let lost = false;
  for (const key of new Set([...Object.keys(got), ...Object.keys(before)])) {
    if (!isChanged(key, got, before)) continue;
    if (!isSameEntry(key, base, stored)) lost ||= !isSameEntry(key, got, stored);
    else if (Object.hasOwn(got, key)) value[key] = got[key]!;
    else delete value[key];
  }
  return { value, lost };
}

const isSameEntry = (key: string, a: Metadata, b: Metadata): boolean =>
  Object.hasOwn(a, key) === Object.hasOwn(b, key) && same(a[key], b[key]);

function isChanged(key: string, got: Metadata, before: Metadata): boolean {
  if (!Object.hasOwn(got, key)) return !isDroppedEntry(key, before);
  return !Object.hasOwn(before, key) || !(same(got[key], before[key]) || isReturnedValue(got[key], before[key]));
}

/** Merges the keypoints that the page's user changed into the stored ones. All are flat lists of triples. */
export function mergeTriples(got: readonly number[], versions: Versions<readonly number[]>): Merged<number[]> {
  const value: number[] = [];
  let lost = false;
  const triple = (list: readonly number[], i: number) => (i + 2 < list.length ? list.slice(i, i + 3) : [0, 0, 0]);
  for (let i = 0; i < Math.max(got.length, versions.stored.length); i += 3) {
    const [mine, theirs] = [triple(got, i), triple(versions.stored, i)];
    const isMine = !isReturnedTriple(mine, triple(versions.before, i));
    const isTheirs = !same(triple(versions.base, i), theirs);
    lost ||= isMine && isTheirs && !same(mine, theirs);
    value.push(...(isMine && !isTheirs ? mine : theirs));
  }
  return { value, lost };
}
