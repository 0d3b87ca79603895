import { Retry } from "../../../shared/async/retry";
import type { Unavailable } from "../../../shared/events";
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
        retry.failed();
        return;
      }
      retry.succeeded();
      onOpened(answer);
    });
  };
  const retry = new Retry(open);
  live.on("connect", open);
  open();
  return () => {
    newest += 1;
    retry.stop();
    live.off("connect", open);
  };
}
