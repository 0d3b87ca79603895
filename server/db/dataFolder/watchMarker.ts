import { ConfigurationError } from "../../base/errors";
import { readMarker } from "./marker";

const PERIOD_MS = 2_000;

/**
 * Detects that the data folder of a server's database is gone, e.g. because its disk was unmounted, or was replaced by
 * another: files would be stored in the wrong place. Calls `onGone` once. Returns a function that ends the watch.
 */
export function watchMarker(dataFolder: string, onGone: (error: Error) => void): () => void {
  const first = readMarker(dataFolder);
  const checkMarker = () => {
    const now = readOrSame(dataFolder, first);
    if (now === first) return;
    clearInterval(timer);
    const what = now === undefined ? "is gone" : "belongs to another database now";
    onGone(
      new ConfigurationError(
        `The data folder ${dataFolder} ${what}, so files can no longer be stored and Limn stops. Put it back (is its disk mounted?), then start Limn again.`,
      ),
    );
  };
  const timer = setInterval(checkMarker, PERIOD_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Returns the current marker, or `first` if it cannot be read, since a disk that is slow for a moment was not replaced.
 */
function readOrSame(dataFolder: string, first: string | undefined): string | undefined {
  try {
    return readMarker(dataFolder);
  } catch {
    return first;
  }
}
