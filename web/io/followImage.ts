import type { AnnotationEvent } from "../../shared/events";
import { socket } from "./socket";

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
  let isLeft = false;
  const entered = () => {
    if (!isLeft) onEntered();
  };
  const people = new Set<string>();
  const enter = () => {
    // Whoever is there still is told anew.
    people.clear();
    onPeople([]);
    live.emit("annotating", { image_id: imageId, active: true }, entered);
  };
  const hear = (event: AnnotationEvent) => event.image_id === imageId && onChange(event);
  const meet = (event: { image_id: number; username: string; active: boolean }) => {
    if (event.image_id !== imageId) return;
    if (event.active) people.add(event.username);
    else people.delete(event.username);
    onPeople([...people]);
  };
  live.on("connect", enter);
  live.on("annotation", hear);
  live.on("annotating", meet);
  if (live.connected) enter();
  return () => {
    isLeft = true;
    live.off("connect", enter);
    live.off("annotation", hear);
    live.off("annotating", meet);
    if (live.connected) live.emit("annotating", { image_id: imageId, active: false });
  };
}
