import { useEffect, useState } from "react";
import type { Listed, PresenceChange } from "../../shared/events";
import { socket } from "../io/live/socket";
import { subscribe } from "../io/live/subscribe";

/** Usernames of those who have images of a dataset open, by image. Images that nobody has open are absent. */
export type Presence = ReadonlyMap<number, readonly string[]>;

/** News of a dataset from the live connection. */
export interface Heard {
  presence: Presence;
  /** Milliseconds of Date.now() at which the connection was lost, and with it the newest; undefined while it lives. */
  lostAt: number | undefined;
}

/**
 * Returns who is at which image of the dataset, as the live connection says or has said last; undefined until it has. A list
 * of images says it too, but its answer may be older than what was heard since it was asked for.
 */
export function usePresence(datasetId: number): Heard | undefined {
  const [heard, setHeard] = useState<Heard & { datasetId: number }>();
  useEffect(() => {
    const live = socket();
    const hear = (changes: PresenceChange[]) =>
      setHeard((before) => before && { ...before, presence: withChanges(before.presence, changes) });
    const lose = () => setHeard((before) => before && { ...before, lostAt: before.lostAt ?? Date.now() });
    live.on("presence", hear);
    live.on("disconnect", lose);
    const unsubscribe = subscribe<Listed>(
      (answered) => live.emit("listing", { dataset_id: datasetId, active: true }, answered),
      (answer) => answer && setHeard({ datasetId, presence: presenceOf(answer), lostAt: undefined }),
    );
    return () => {
      unsubscribe();
      live.off("presence", hear);
      live.off("disconnect", lose);
      if (live.connected) live.emit("listing", { dataset_id: datasetId, active: false });
    };
  }, [datasetId]);
  return heard?.datasetId === datasetId ? heard : undefined;
}

export const presenceOf = ({ images }: Listed): Presence =>
  new Map(images.map(({ image_id, usernames }) => [image_id, usernames]));

export function withChanges(before: Presence, changes: readonly PresenceChange[]): Presence {
  const presence = new Map(before);
  for (const { image_id: id, joined, left } of changes) {
    const stayed = presence.get(id)?.filter((name) => !left.includes(name) && !joined.includes(name)) ?? NOBODY;
    const names = [...stayed, ...joined];
    if (names.length > 0) presence.set(id, names);
    else presence.delete(id);
  }
  return presence;
}

/**
 * Returns the users at an image of a list that was asked for at `askedAt`: the newest of what the live connection has said,
 * and of the list.
 */
export function usersAt(
  heard: Heard | undefined,
  image: { id: number; annotating: readonly string[] },
  askedAt: number,
): readonly string[] {
  const isListNewer = !heard || (heard.lostAt !== undefined && askedAt > heard.lostAt);
  return isListNewer ? image.annotating : (heard.presence.get(image.id) ?? NOBODY);
}

/** Users of an image that is absent from a presence. */
const NOBODY: readonly string[] = [];
