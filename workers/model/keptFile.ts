/** A large file of our own server that is loaded once and kept. */
export interface KeptFile {
  /** Another content has another address. */
  address: string;
  bytes: number;
  /** Of the content, in hexadecimal. */
  sha256: string;
}

/** The cache of the browser in which the files lie. Logging out empties it. */
export const CACHE = "models";

/** A server that sends nothing holds nobody up longer than this, in milliseconds. */
const SILENCE_MS = 30_000;

/** Matches a hash in an address. */
const HASH = /(-[\w-]{8}|[0-9a-f]{64})(?=\.\w+$)/;

/** The file cannot be had now; it may be later. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/**
 * The content of the file: from the cache, else from the server, and then into the cache, where it takes the place of
 * older versions. A copy that is not what it should be (by size, and by hash where the browser can) is fetched again.
 * `onBytes` hears how many bytes are there. Throws an Error for people: `Unreachable` where another try may help.
 */
export async function loadKept(
  file: KeptFile,
  onBytes: (received: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const cache = await openCache();
  const kept = await fromCache(cache, file);
  if (kept) {
    onBytes(file.bytes);
    return kept;
  }
  const content = (await download(file, "default", onBytes)) ?? (await download(file, "reload", onBytes));
  if (!content) throw new Error("A file of DEXTR on the server is broken.");
  if (cache) void keep(cache, file, content);
  return content;
}

/** Null outside secure contexts, and where storage is forbidden. */
async function openCache(): Promise<Cache | null> {
  if (!("caches" in globalThis)) return null;
  return caches.open(CACHE).catch(() => null);
}

async function fromCache(cache: Cache | null, file: KeptFile): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const response = await cache?.match(file.address);
    if (!response) return null;
    const content = new Uint8Array(await response.arrayBuffer());
    return (await isWhole(file, content)) ? content : null;
  } catch {
    return null;
  }
}

/** Null for a broken copy. `mode` "reload" passes over what the browser has kept by itself. */
async function download(
  file: KeptFile,
  mode: RequestCache,
  onBytes: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const listen = (received: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
    onBytes(received);
  };
  try {
    const response = await fetch(file.address, { credentials: "same-origin", cache: mode, signal: silence.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const content = await readAll(response, file.bytes, listen);
    return content && (await isWhole(file, content)) ? content : null;
  } catch (error) {
    throw new Unreachable(`The files of DEXTR cannot be loaded: ${reasonOf(error)}.`);
  } finally {
    clearTimeout(timer);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message.startsWith("status") ? error.message : "the server cannot be reached";

/** Null where the answer is longer or shorter than it should be. */
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

async function isWhole(file: KeptFile, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (content.length !== file.bytes) return false;
  // Absent outside secure contexts.
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === file.sha256;
}

/** A full disk is no reason to stop: then the file is loaded again another time. */
async function keep(cache: Cache, { address }: KeptFile, content: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await cache.put(address, new Response(content));
    const nameless = address.replace(HASH, "");
    for (const { url } of await cache.keys())
      if (url !== address && url.replace(HASH, "") === nameless) await cache.delete(url);
  } catch {
    // As above.
  }
}
