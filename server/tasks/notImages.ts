import { shown } from "../files/paths/safePath";

const NAMED = 10;

/** Files that lie between the images and do not look like any: told in one line, not one by one. */
export function notImages() {
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
    summary: () => `Left out ${count} file(s) that are no images: ${named.join(", ")}${count > NAMED ? ", …" : "."}`,
  };
}
