import { useEffect, useState } from "react";
import type { Listed, PresenceChange } from "../../shared/events";
import { socket } from "../io/live/socket";
import { subscribe } from "../io/live/subscribe";

/** Users who have an image open, by image id. Images without users are absent. */
export type Presence = ReadonlyMap<number, readonly string[]>;

/** Presence in a dataset as the live connection last reported it. */
export interface LivePresence {
  presence: Presence;
  /** Time when the connection was lost, in milliseconds of performance.now(); undefined while connected. */
  lostAt: number | undefined;
}

/**
 * Returns the last reported presence in a dataset; undefined before the first report. The response with a list of
 * images contains users too, but it may be older than the events that arrived after its request.
 */
export function usePresence(datasetId: number): LivePresence | undefined {
  const [reported, setReported] = useState<LivePresence & { datasetId: number }>();
  useEffect(() => {
    const live = socket();
    const handleChanges = (changes: PresenceChange[]) =>
      setReported((before) => before && { ...before, presence: withChanges(before.presence, changes) });
    const handleDisconnect = () =>
      setReported((before) => before && { ...before, lostAt: before.lostAt ?? performance.now() });
    live.on("presence", handleChanges);
    live.on("disconnect", handleDisconnect);
    const unsubscribe = subscribe<Listed>(
      (acknowledge) => live.emit("listing", { dataset_id: datasetId, active: true }, acknowledge),
      (listed) => listed && setReported({ datasetId, presence: presenceOf(listed), lostAt: undefined }),
    );
    return () => {
      unsubscribe();
      live.off("presence", handleChanges);
      live.off("disconnect", handleDisconnect);
      if (live.connected) live.emit("listing", { dataset_id: datasetId, active: false });
    };
  }, [datasetId]);
  return reported?.datasetId === datasetId ? reported : undefined;
}

export const presenceOf = ({ images }: Listed): Presence =>
  new Map(images.map(({ image_id, usernames }) => [image_id, usernames]));

export function withChanges(before: Presence, changes: readonly PresenceChange[]): Presence {
  const presence = new Map(before);
  for (const { image_id: id, joined, left } of changes) {
    const stayed = presence.get(id)?.filter((name) => !left.includes(name) && !joined.includes(name)) ?? NO_USERS;
    const names = [...stayed, ...joined];
    if (names.length > 0) presence.set(id, names);
    else presence.delete(id);
  }
  return presence;
}

/**
 * Returns the users who have a listed image open, from the newer source: the live connection, or the list, which was
 * requested at `requestedAt` (milliseconds of performance.now()).
 */
export function usersAt(
  live: LivePresence | undefined,
  image: { id: number; annotating: readonly string[] },
  requestedAt: number,
): readonly string[] {
  const isListNewer = !live || (live.lostAt !== undefined && requestedAt > live.lostAt);
  return isListNewer ? image.annotating : (live.presence.get(image.id) ?? NO_USERS);
}

const NO_USERS: readonly string[] = [];
