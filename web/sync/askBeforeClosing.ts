/** Asks for confirmation before the page closes while `isUnsafe` returns true. Returns a function that stops it. */
export function askBeforeClosing(isUnsafe: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (isUnsafe()) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
