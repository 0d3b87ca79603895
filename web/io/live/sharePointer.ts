import type { OthersPointing, Pointing } from "../../../shared/events";
import { socket } from "./socket";

/**
 * Listens to the pointers and selections of other users on an image. Returns a function that sends this user's, and one
 * that ends the listening.
 */
export function sharePointer(imageId: number, onPointing: (event: OthersPointing) => void) {
  const live = socket();
  const handle = (event: OthersPointing) => event.image_id === imageId && onPointing(event);
  live.on("pointing", handle);
  return {
    send: (own: Omit<Pointing, "image_id">) => {
      if (live.connected) live.emit("pointing", { image_id: imageId, ...own });
    },
    stop: () => void live.off("pointing", handle),
  };
}
