import { shown } from "../../files/paths/safePath";

const NAMED = 10;

/** Collects files that do not look like images, to log them in one line instead of one by one. */
export function collectSkippedFiles() {
  const named: string[] = [];
  let count = 0;
  return {
    add(path: string) {
      count++;
      if (named.length < NAMED) named.push(shown(path));
    },
    get count() {
      return count;
    },
    summary: () => `Skipped ${count} file(s) that are not images: ${named.join(", ")}${count > NAMED ? ", …" : "."}`,
  };
}
