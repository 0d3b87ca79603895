import { useEffect, useState } from "react";
import type { Listed, PresenceChange } from "../../shared/events";
import { socket } from "../io/live/socket";
import { subscribe } from "../io/live/subscribe";

/** Usernames of those who have images of a dataset open, by image. Images that nobody has open are absent. */
export type Presence = ReadonlyMap<number, readonly string[]>;

/**
 * Returns who is at which image of the dataset, as the live connection says; undefined while that is silent. A list of
 * images says it too, but its answer may be older than what was heard since it was asked for.
 */
export function usePresence(datasetId: number): Presence | undefined {
  const [presence, setPresence] = useState<Presence>();
  useEffect(() => {
    const live = socket();
    const hear = (changes: PresenceChange[]) => setPresence((before) => before && withChanges(before, changes));
    const lose = () => setPresence(undefined);
    live.on("presence", hear);
    live.on("disconnect", lose);
    const unsubscribe = subscribe<Listed>(
      (answered) => live.emit("listing", { dataset_id: datasetId, active: true }, answered),
      (answer) => answer && setPresence(presenceOf(answer)),
    );
    return () => {
      unsubscribe();
      live.off("presence", hear);
      live.off("disconnect", lose);
      if (live.connected) live.emit("listing", { dataset_id: datasetId, active: false });
    };
  }, [datasetId]);
  return presence;
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

/** Returns the users at an image of a list: by the live connection if it has said anything, else by the list. */
export function usersAt(
  presence: Presence | undefined,
  image: { id: number; annotating: readonly string[] },
): readonly string[] {
  return presence ? (presence.get(image.id) ?? NOBODY) : image.annotating;
}

/** Users of an image that is absent from a presence. */
const NOBODY: readonly string[] = [];
