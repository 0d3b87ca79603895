import { Retry } from "../../../shared/async/retry";
import type { Unavailable } from "../../../shared/events";
import { socket } from "./socket";

/**
 * Subscribes to a room of the server, again after each reconnection, and with growing pauses while the server cannot
 * accept the subscription. `send` requests the subscription; `onOpened` receives the response. Returns a function that
 * ends the subscription, after which nothing is called.
 */
export function subscribe<A extends object>(
  send: (onResponse: (response?: A | Unavailable) => void) => void,
  onOpened: (response: A | undefined) => void,
): () => void {
  const live = socket();
  let newest = 0;
  const open = () => {
    if (!live.connected) return;
    newest += 1;
    const attempt = newest;
    send((response) => {
      if (attempt !== newest) return;
      if (response !== undefined && "error" in response) {
        retry.failed();
        return;
      }
      retry.succeeded();
      onOpened(response);
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
