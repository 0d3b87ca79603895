import type { Sessions } from "./sessions";

const INPUTS = ["pointerdown", "pointermove", "wheel", "keydown"];

/**
 * Passes input and visibility of the page to the sessions. `target` is the window. Returns how to
 * stop.
 */
export function watchWork(target: EventTarget, sessions: Sessions): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  for (const type of INPUTS)
    target.addEventListener(type, () => sessions.input(), { signal, capture: true, passive: true });
  const look = () => (isHidden() ? sessions.pause() : sessions.resume());
  target.addEventListener("visibilitychange", look, { signal, capture: true });
  target.addEventListener("pagehide", () => sessions.pause(), { signal });
  target.addEventListener("pageshow", look, { signal });
  if (isHidden()) sessions.pause();
  return () => listening.abort();
}

const isHidden = (): boolean => typeof document !== "undefined" && document.visibilityState === "hidden";
