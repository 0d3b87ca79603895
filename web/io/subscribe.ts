import type { Unavailable } from "../../shared/events";
import { BackOff } from "./backOff";
import { socket } from "./socket";

/**
 * Subscribes to a room of the server: again at each connection, and, later each time, where the server could not take the
 * subscription. `send` asks for it; `onOpened` gets the answer. Returns how to end it; nothing is called after that.
 */
export function subscribe<A extends object>(
  send: (answered: (answer?: A | Unavailable) => void) => void,
  onOpened: (answer: A | undefined) => void,
): () => void {
  const live = socket();
  let newest = 0;
  const open = () => {
    if (!live.connected) return;
    newest += 1;
    const mine = newest;
    send((answer) => {
      if (mine !== newest) return;
      if (answer !== undefined && "error" in answer) {
        backOff.failed();
        return;
      }
      backOff.succeeded();
      onOpened(answer);
    });
  };
  const backOff = new BackOff(open);
  live.on("connect", open);
  open();
  return () => {
    newest += 1;
    backOff.stop();
    live.off("connect", open);
  };
}
