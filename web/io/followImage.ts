import type { AnnotationEvent, Entered, PresenceChange } from "../../shared/events";
import { socket } from "./socket";
import { subscribe } from "./subscribe";

interface Listeners {
  /** Something in the picture has changed, by whatever client. */
  onChange: (event: AnnotationEvent) => void;
  /** From here on changes are told. What was stored before, while the picture was loaded, must be asked for. */
  onEntered: () => void;
  /** Who has the picture open now, this person among them; each name once. */
  onPeople: (usernames: readonly string[]) => void;
}

/**
 * Says that this tab has the picture open, again after each loss of the connection, and hears of it. Answers how to
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
