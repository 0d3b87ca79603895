import type { VersionComparison } from "../../../shared/entities/export";
import { makePause } from "../../threads/makePause";
import type { Entry } from "./entries";

type Counts = VersionComparison["images"];
type Kind = keyof Counts;

const none = (): Counts => ({ added: 0, removed: 0, changed: 0 });

/**
 * Counts the differences between two lists of entries in the order of `readEntries`, reading both at once. `nameOf`
 * returns the name of a category.
 */
export async function compareEntries(
  before: AsyncIterable<Entry[]>,
  after: AsyncIterable<Entry[]>,
  nameOf: (category: number) => string,
): Promise<VersionComparison> {
  const counts = { images: none(), annotations: none() };
  const categories = new Map<string, Counts>();
  const count = ({ annotation, category }: Entry, kind: Kind) => {
    (annotation === 0 ? counts.images : counts.annotations)[kind]++;
    if (annotation === 0) return;
    const name = nameOf(category);
    const own = categories.get(name) ?? none();
    own[kind]++;
    categories.set(name, own);
  };
  const [earlier, later] = [oneByOne(before), oneByOne(after)];
  const pause = makePause();
  let [old, now] = [await earlier(), await later()];
  while (old || now) {
    await pause();
    const order = old && now ? compareOrder(old, now) : old ? -1 : 1;
    if (order < 0 && old) count(old, "removed");
    if (order > 0 && now) count(now, "added");
    if (order === 0 && now && old?.hash !== now.hash) count(now, "changed");
    if (order <= 0) old = await earlier();
    if (order >= 0) now = await later();
  }
  const named = [...categories].map(([name, own]) => ({ name, ...own }));
  return { ...counts, categories: named.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** Orders images before annotations, images by id, and annotations by image and id. */
function compareOrder(a: Entry, b: Entry): number {
  const kinds = Number(a.annotation > 0) - Number(b.annotation > 0);
  return kinds || a.image - b.image || a.annotation - b.annotation;
}

/** Returns a function that returns the next entry; undefined at the end. */
function oneByOne(lists: AsyncIterable<Entry[]>): () => Entry | undefined | Promise<Entry | undefined> {
  const source = lists[Symbol.asyncIterator]();
  let list: Entry[] = [];
  let at = 0;
  const next = async (): Promise<Entry | undefined> => {
    for (;;) {
      const { value, done } = await source.next();
      if (done) return undefined;
      if (value.length === 0) continue;
      [list, at] = [value, 1];
      return value[0];
    }
  };
  return () => (at < list.length ? list[at++] : next());
}
