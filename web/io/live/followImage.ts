import type { AnnotationEvent, Entered, PresenceChange } from "../../../shared/events";
import { socket } from "./socket";
import { subscribe } from "./subscribe";

interface Listeners {
  /** Called when any client has changed something in the image. */
  onChange: (event: AnnotationEvent) => void;
  /**
   * Called when change events start to arrive. Earlier changes, stored while the image was loading, must be requested.
   */
  onEntered: () => void;
  /** Called with the users who have the image open, this user included; each name once. */
  onUsersChange: (usernames: readonly string[]) => void;
}

/**
 * Announces that this tab has the image open, also after each reconnection, and listens to its events. Returns a
 * function that ends both.
 */
export function followImage(imageId: number, { onChange, onEntered, onUsersChange }: Listeners): () => void {
  const live = socket();
  let usernames = new Set<string>();
  const handleEvent = (event: AnnotationEvent) => event.image_id === imageId && onChange(event);
  const handlePresence = (changes: PresenceChange[]) => {
    const change = changes.find(({ image_id }) => image_id === imageId);
    if (!change) return;
    for (const name of change.left) usernames.delete(name);
    for (const name of change.joined) usernames.add(name);
    onUsersChange([...usernames]);
  };
  live.on("annotation", handleEvent);
  live.on("presence", handlePresence);
  const unsubscribe = subscribe<Entered>(
    (onResponse) => live.emit("annotating", { image_id: imageId, active: true }, onResponse),
    (response) => {
      usernames = new Set(response?.usernames);
      onUsersChange([...usernames]);
      onEntered();
    },
  );
  return () => {
    unsubscribe();
    live.off("annotation", handleEvent);
    live.off("presence", handlePresence);
    if (live.connected) live.emit("annotating", { image_id: imageId, active: false });
  };
}
