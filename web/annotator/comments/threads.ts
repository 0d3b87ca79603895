import type { Comment } from "../../../shared/entities/comment";
import type { Point } from "../canvas/view/view";

/** Comments that belong together. */
export interface Thread {
  /** The comment that begins the thread, perhaps deleted: it has the place. */
  first: Comment;
  /** Those that are not deleted, oldest first. */
  comments: readonly Comment[];
  /** Number of the pin, counted from 1 in the order of the threads. */
  number: number;
}

/** Returns the threads that have a comment, in the order in which they were begun. */
export function threadsOf(comments: ReadonlyMap<string, Comment>): Thread[] {
  const threads = new Map<string, Comment[]>();
  for (const comment of comments.values()) {
    const key = comment.thread ?? comment.uuid;
    threads.set(key, [...(threads.get(key) ?? []), comment]);
  }
  return [...threads].flatMap(([uuid, all], i) => {
    const first = comments.get(uuid);
    const live = all.filter(({ deleted }) => !deleted).toSorted((a, b) => a.created_at.localeCompare(b.created_at));
    return first && live.length > 0 ? [{ first, comments: live, number: i + 1 }] : [];
  });
}

/** A box in image pixels. */
export interface PlaceBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/**
 * Returns where a thread is now, in image pixels. A place on an annotation follows the annotation's box, `now`: it
 * keeps its share of width and height. Without a box it stays where the thread was begun.
 */
export function placeOf({ x, y, box }: Pick<Comment, "x" | "y" | "box">, now: PlaceBox | null): Point {
  const place = { x: x ?? 0, y: y ?? 0 };
  if (!box || !now) return place;
  const [left, top, width, height] = box;
  const share = (at: number, from: number, size: number) => (size > 0 ? (at - from) / size : 0.5);
  return {
    x: now.minX + share(place.x, left, width) * (now.maxX - now.minX),
    y: now.minY + share(place.y, top, height) * (now.maxY - now.minY),
  };
}

/** Returns the number of other users' comments that were written after the user has last read the thread. */
export const unreadIn = ({ comments }: Thread, username: string | null, until: string | undefined): number =>
  username === null
    ? 0
    : comments.filter(({ creator, created_at }) => creator !== username && created_at > (until ?? "")).length;
