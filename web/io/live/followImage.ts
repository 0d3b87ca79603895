import type { AnnotationEvent, Entered, PresenceChange } from "../../../shared/events";
import { socket } from "./socket";
import { subscribe } from "./subscribe";

interface Listeners {
  /** Something in the image has changed, by whatever client. */
  onChange: (event: AnnotationEvent) => void;
  /** From here on changes are told. What was stored before, while the image was loaded, must be asked for. */
  onEntered: () => void;
  /** Users who have the image open now, this user included; each name once. */
  onPeople: (usernames: readonly string[]) => void;
}

/**
 * Announces that this tab has the image open, again after each loss of the connection, and follows its events. Returns how to
 * leave.
 */
export function followImage(imageId: number, { onChange, onEntered, onPeople }: Listeners): () => void {
  const live = socket();
  let people = new Set<string>();
  const hear = (event: AnnotationEvent) => event.image_id === imageId && onChange(event);
  const meet = (changes: PresenceChange[]) => {
    const change = changes.find(({ image_id }) => image_id === imageId);
    if (!change) return;
    for (const name of change.left) people.delete(name);
    for (const name of change.joined) people.add(name);
    onPeople([...people]);
  };
  live.on("annotation", hear);
  live.on("presence", meet);
  const unsubscribe = subscribe<Entered>(
    (answered) => live.emit("annotating", { image_id: imageId, active: true }, answered),
    (answer) => {
      people = new Set(answer?.usernames);
      onPeople([...people]);
      onEntered();
    },
  );
  return () => {
    unsubscribe();
    live.off("annotation", hear);
    live.off("presence", meet);
    if (live.connected) live.emit("annotating", { image_id: imageId, active: false });
  };
}
