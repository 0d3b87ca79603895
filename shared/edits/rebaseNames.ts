/**
 * The names that somebody added and took away from `before` to `after`, done to `now`: what others added or took away
 * meanwhile stays so.
 */
export function rebaseNames(before: readonly string[], after: readonly string[], now: readonly string[]): string[] {
  const gone = new Set(before.filter((name) => !after.includes(name)));
  const added = after.filter((name) => !before.includes(name));
  return [...new Set([...now.filter((name) => !gone.has(name)), ...added])];
}
