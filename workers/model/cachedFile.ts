/** A large file on our own server that is loaded once and cached. */
export interface CachedFile {
  /** Changes with the content. */
  address: string;
  bytes: number;
  /** Hash of the content, in hexadecimal. */
  sha256: string;
}

/** The browser's cache for the files. Logging out empties it. */
export const CACHE = "models";

/** Time after which a server that sends nothing counts as unreachable, in milliseconds. */
const SILENCE_MS = 30_000;

/** Matches a hash in an address. */
const HASH = /(-[\w-]{8}|[0-9a-f]{64})(?=\.\w+$)/;

/** Error for a file that is temporarily unavailable. Trying again may help. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/**
 * Returns the content of the file from the cache, or else from the server. A file from the server is cached in place of
 * older versions. A damaged copy (by size, and by hash if the browser can compute it) is fetched again. `onBytes`
 * receives the number of bytes loaded so far. Throws an Error whose message is shown to the user: `Unreachable` if
 * trying again may help.
 */
export async function loadCachedFile(
  file: CachedFile,
  onBytes: (received: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await load(file, onBytes)).content;
}

/** Resolves when the file is in the cache, or could not be stored there. Throws like `loadCachedFile`. */
export async function keepCachedFile(file: CachedFile): Promise<void> {
  await (await load(file, () => undefined)).storing;
}

interface Loaded {
  content: Uint8Array<ArrayBuffer>;
  /** Resolves when the file is cached, or could not be. */
  storing: Promise<void>;
}

async function load(file: CachedFile, onBytes: (received: number) => void): Promise<Loaded> {
  const cache = await openCache();
  const cached = await readFromCache(cache, file);
  if (cached) {
    onBytes(file.bytes);
    return { content: cached, storing: Promise.resolve() };
  }
  const content = (await download(file, "default", onBytes)) ?? (await download(file, "reload", onBytes));
  if (!content) throw new Error("A DEXTR file on the server is damaged.");
  return { content, storing: cache ? store(cache, file, content) : Promise.resolve() };
}

/** Returns null outside secure contexts, or if storage is blocked. */
async function openCache(): Promise<Cache | null> {
  if (!("caches" in globalThis)) return null;
  return caches.open(CACHE).catch(() => null);
}

async function readFromCache(cache: Cache | null, file: CachedFile): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await cache?.match(file.address);
    if (!response) return null;
    const content = new Uint8Array(await response.arrayBuffer());
    return (await isIntact(file, content)) ? content : null;
  } catch {
    return null;
  }
}

/** Returns null for a damaged copy. `mode` "reload" bypasses the browser's HTTP cache. */
async function download(
  file: CachedFile,
  mode: RequestCache,
  onBytes: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const onProgress = (received: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
    onBytes(received);
  };
  try {
    const response = await fetch(file.address, { credentials: "same-origin", cache: mode, signal: silence.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const content = await readAll(response, file.bytes, onProgress);
    return content && (await isIntact(file, content)) ? content : null;
  } catch (error) {
    throw new Unreachable(`The DEXTR files cannot be loaded: ${reasonOf(error)}.`);
  } finally {
    clearTimeout(timer);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message.startsWith("status") ? error.message : "the server cannot be reached";

/** Returns null if the response is longer or shorter than `bytes`. */
async function readAll(
  response: Response,
  bytes: number,
  onBytes: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!response.body) return null;
  const content = new Uint8Array(bytes);
  const reader = response.body.getReader();
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return received === bytes ? content : null;
    if (received + value.length > bytes) {
      await reader.cancel();
      return null;
    }
    content.set(value, received);
    received += value.length;
    onBytes(received);
  }
}

async function isIntact(file: CachedFile, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (content.length !== file.bytes) return false;
  // Absent outside secure contexts.
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === file.sha256;
}

/**
 * Caches the file and removes older versions. Ignores failures such as a full disk: the file is loaded again next time.
 */
async function store(cache: Cache, { address }: CachedFile, content: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await cache.put(address, new Response(content));
    const nameless = address.replace(HASH, "");
    for (const { url } of await cache.keys())
      if (url !== address && url.replace(HASH, "") === nameless) await cache.delete(url);
  } catch {
    // As above.
  }
}
