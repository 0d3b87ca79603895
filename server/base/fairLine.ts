import { currentRequester } from "./requester";

/**
 * Queue in which requesters take turns, so that a requester with many items delays the next item of another by one item
 * only.
 */
export class FairLine<T> {
  /** Items of each requester in order of arrival. The requester whose turn is next comes first. */
  private readonly items = new Map<string, T[]>();

  /** Adds an item of the current requester. */
  add(item: T): void {
    const requester = currentRequester();
    const own = this.items.get(requester);
    if (own) own.push(item);
    else this.items.set(requester, [item]);
  }

  /** Number of items of the current requester. */
  get own(): number {
    return this.items.get(currentRequester())?.length ?? 0;
  }

  /** Number of all items. */
  get size(): number {
    let size = 0;
    for (const own of this.items.values()) size += own.length;
    return size;
  }

  remove(item: T): void {
    for (const [requester, own] of this.items) {
      const at = own.indexOf(item);
      if (at >= 0) own.splice(at, 1);
      if (own.length === 0) this.items.delete(requester);
    }
  }

  /** Returns the next item; undefined if the queue is empty. */
  first(): T | undefined {
    const [own] = this.items.values();
    return own?.[0];
  }

  /** Removes and returns the next item; undefined if the queue is empty. */
  shift(): T | undefined {
    const [next] = this.items;
    if (!next) return undefined;
    const [requester, own] = next;
    const item = own.shift();
    this.items.delete(requester);
    if (own.length > 0) this.items.set(requester, own);
    return item;
  }
}
