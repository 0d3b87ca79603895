import { randomUUID } from "node:crypto";
import type { Presence } from "../live/presence";
import type { LiveServer } from "../live/socketLive";

const EVERY_MS = 5_000;

/** Tells the other processes who is at which picture here, when that changes and now and then. Answers how to stop it. */
export function sharePresence(io: LiveServer, presence: Presence): () => void {
  const process = randomUUID();
  const report = () => io.serverSideEmit("present", presence.report(process));
  io.on("present", (heard) => presence.hear(heard));
  presence.onChange(report);
  const timer = setInterval(report, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
