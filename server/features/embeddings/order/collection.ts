import { farthestFirst } from "./farthestFirst";
import { ANNOTATED, DONE, OPEN, type OrderedPage } from "./orderQuestion";

const FLOAT_BYTES = 4;

/** The images of a dataset whose order is computed. */
export class Collection {
  #ids: number[] = [];
  #kinds: number[] = [];
  #pages: Float32Array[] = [];
  #size = 0;

  /** Adds images. All pages must have embeddings of the same length; others are left out. */
  add({ ids, kinds, embeddings }: OrderedPage): void {
    const size = embeddings.length / FLOAT_BYTES / ids.length;
    if (this.#size === 0 && Number.isInteger(size)) this.#size = size;
    if (ids.length === 0 || size !== this.#size) return;
    for (const id of ids) this.#ids.push(id);
    for (const kind of kinds) this.#kinds.push(kind);
    // A copy, since the bytes need not begin at a multiple of four.
    this.#pages.push(new Float32Array(embeddings.slice().buffer));
  }

  /**
   * Returns the ids of open images, at most `most`: those without annotations, farthest first from all that are
   * annotated or done; then those with annotations, farthest first from all that are done or come before them.
   */
  order(most: number): number[] {
    const points = { values: joined(this.#pages), size: this.#size };
    const of = (isWanted: (kind: number) => boolean) =>
      this.#kinds.flatMap((kind, place) => (isWanted(kind) ? place : []));
    const is = (kind: number, bit: number) => (kind & bit) !== 0;
    const labelled = of((kind) => is(kind, DONE | ANNOTATED));
    const fresh = of((kind) => is(kind, OPEN) && !is(kind, ANNOTATED));
    const first = farthestFirst(points, labelled, fresh, most);
    const begun = first.length < most ? of((kind) => is(kind, OPEN) && is(kind, ANNOTATED)) : [];
    const done = begun.length > 0 ? of((kind) => is(kind, DONE)) : [];
    const second = farthestFirst(points, [...done, ...first], begun, most - first.length);
    return [...first, ...second].map((place) => this.#ids[place]!);
  }
}

function joined(pages: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const all = new Float32Array(pages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const page of pages) {
    all.set(page, at);
    at += page.length;
  }
  return all;
}
