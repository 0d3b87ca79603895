import type { Sessions } from "./sessions";

const INPUTS = ["pointerdown", "pointermove", "wheel", "keydown"];

/**
 * Reports user input and the page's visibility to the sessions. `target` is the window. Returns a function that stops
 * the reports.
 */
export function watchWork(target: EventTarget, sessions: Sessions): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  for (const type of INPUTS)
    target.addEventListener(type, () => sessions.input(), { signal, capture: true, passive: true });
  const update = () => (isHidden() ? sessions.pause() : sessions.resume());
  target.addEventListener("visibilitychange", update, { signal, capture: true });
  target.addEventListener("pagehide", () => sessions.pause(), { signal });
  target.addEventListener("pageshow", update, { signal });
  if (isHidden()) sessions.pause();
  return () => listening.abort();
}

const isHidden = (): boolean => typeof document !== "undefined" && document.visibilityState === "hidden";
