import type { Kysely } from "kysely";
import type { Schema } from "../db/schema";
import { forgetFigures, onFiguresInvalidated } from "../features/images/staleWhileRevalidate";
import type { LiveServer } from "../live/socketLive";

/** Milliseconds between two messages: an upload invalidates the figures of its dataset with every image. */
const PAUSE_MS = 100;

/**
 * Makes the other processes forget the cached figures of a dataset whose images changed here, and the other way round:
 * a user's next request may reach another process. Returns a function that sends what is left, and ends this.
 */
export function shareFigures(io: Pick<LiveServer, "on" | "serverSideEmit">, db: Kysely<Schema>): () => void {
  const changed = new Set<number>();
  let pause: NodeJS.Timeout | undefined;
  const send = () => {
    pause = undefined;
    if (changed.size === 0) return;
    io.serverSideEmit("figures", [...changed]);
    changed.clear();
    pause = setTimeout(send, PAUSE_MS);
    pause.unref();
  };
  const stop = onFiguresInvalidated(db, (datasetId) => {
    changed.add(datasetId);
    if (!pause) send();
  });
  io.on("figures", (datasetIds) => {
    for (const id of datasetIds) forgetFigures(db, id);
  });
  return () => {
    stop();
    clearTimeout(pause);
    send();
    clearTimeout(pause);
  };
}
