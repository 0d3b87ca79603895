const NAMES: readonly [RegExp, string][] = [
  [/^(train|training|trainset)(?![a-z])/i, "train"],
  [/^(val|valid|validation|dev)(?![a-z])/i, "validation"],
  [/^(test|testing|holdout)(?![a-z])/i, "test"],
];

/**
 * Returns the part of the data that an image belongs to, "train", "validation" or "test", from the names of its folders
 * ("train2017/", "images/val/") or its labels; null if none says so.
 */
export function splitOf(path: string, labels: readonly string[] = []): string | null {
  const folders = path.split("/").slice(0, -1);
  for (const name of [...folders, ...labels])
    for (const [pattern, split] of NAMES) if (pattern.test(name)) return split;
  return null;
}
