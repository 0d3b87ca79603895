/** Closing the page asks first while something would be lost by it. The answer takes that back. */
export function askBeforeClosing(isUnsafe: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (isUnsafe()) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
