/** Part of a file that has arrived. `tag`: the ETag of its response, for resuming. */
export interface FilePart {
  blob: Blob;
  tag: string;
}

export interface FileRequest {
  address: string;
  headers: Record<string, string>;
  /** `no-store` keeps large downloads out of the browser's own cache. */
  cache: RequestCache;
  /** Part that an interrupted download left. */
  part: FilePart | null;
}

/**
 * `failed`: `status` is 0 if the connection broke or was stopped. `damaged`: size or hash differ from the stated ones.
 */
export type FileResult =
  | { kind: "file"; blob: Blob }
  | { kind: "failed"; status: number; part: FilePart | null }
  | { kind: "damaged" };

/** Time after which a server that sends nothing counts as unreachable, in milliseconds. */
const SILENCE_MS = 30_000;
/** Bytes after which the part that has arrived is passed on, so that a closed page loses no more than that. */
export const PART_BYTES = 8_000_000;

/**
 * Downloads a file, continuing after the part with a range request (RFC 9110, 14.2) if the file has not changed. Checks
 * the size, and the SHA-256 of `Repr-Digest` (RFC 9530) if the server sends it and the browser can compute it. Never
 * rejects.
 */
export async function downloadFile(
  request: FileRequest,
  onPart: ((part: FilePart) => void) | null,
  signal: AbortSignal,
): Promise<FileResult> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  const stop = () => silence.abort();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  restartTimer();
  try {
    return await fetchFile(request, { onPart, onBytes: restartTimer, signal: silence.signal });
  } catch {
    return { kind: "failed", status: 0, part: request.part };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

interface Transfer {
  onPart: ((part: FilePart) => void) | null;
  onBytes: () => void;
  signal: AbortSignal;
}

async function fetchFile(request: FileRequest, transfer: Transfer): Promise<FileResult> {
  const { address, headers, cache, part } = request;
  const range = part && { Range: `bytes=${part.blob.size}-`, "If-Range": part.tag };
  const response = await fetch(address, {
    credentials: "same-origin",
    headers: { ...headers, ...range },
    cache,
    signal: transfer.signal,
  });
  // The part is as long as the file, or longer than a new version of the file.
  if (part && response.status === 416) return fetchFile({ ...request, part: null }, transfer);
  if (!response.ok) return { kind: "failed", status: response.status, part };
  const kept = response.status === 206 && part && startOf(response) === part.blob.size ? part.blob : null;
  if (response.status === 206 && !kept) return { kind: "failed", status: 0, part: null };
  return readBody(response, kept, transfer);
}

/** Returns the first byte's position in a partial response; -1 if it does not state one. */
const startOf = (response: Response): number =>
  Number(/^bytes (\d+)-/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? -1);

async function readBody(response: Response, kept: Blob | null, transfer: Transfer): Promise<FileResult> {
  const tag = strongTag(response);
  const type = response.headers.get("Content-Type") ?? "";
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const blob = () => new Blob(kept ? [kept, ...chunks] : chunks, { type });
  let unkept = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      transfer.onBytes();
      chunks.push(chunk);
      unkept += chunk.length;
      if (!tag || !transfer.onPart || unkept < PART_BYTES) continue;
      unkept = 0;
      transfer.onPart({ blob: blob(), tag });
    }
  } catch {
    return { kind: "failed", status: 0, part: tag && (kept || chunks.length > 0) ? { blob: blob(), tag } : null };
  }
  if (kept) {
    const file = blob();
    return (await isIntact(await file.arrayBuffer(), response)) ? { kind: "file", blob: file } : { kind: "damaged" };
  }
  // Reading a new Blob back from the browser's own process, for its hash, would cost as much as the download.
  const content = joined(chunks);
  if (!(await isIntact(content, response))) return { kind: "damaged" };
  return { kind: "file", blob: new Blob([content], { type }) };
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const content = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    content.set(chunk, at);
    at += chunk.length;
  }
  return content;
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return;
    yield next.value;
  }
}

/** Returns an ETag that range requests may use, or null. */
function strongTag(response: Response): string | null {
  const tag = response.headers.get("ETag");
  return tag && !tag.startsWith("W/") ? tag : null;
}

async function isIntact(content: ArrayBuffer | Uint8Array<ArrayBuffer>, { headers }: Response): Promise<boolean> {
  const size = statedSize(headers);
  if (size !== null && size !== content.byteLength) return false;
  const stated = /(?:^|[\s,])sha-256=:([^:]+):/.exec(headers.get("Repr-Digest") ?? "")?.[1];
  // Absent outside secure contexts.
  if (!stated || !globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return btoa(String.fromCharCode(...digest)) === stated;
}

/** Returns the size of the whole file as stated by the response; null if unknown or if the body was compressed. */
function statedSize(headers: Headers): number | null {
  const range = /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
  const size = range ?? headers.get("Content-Length");
  return size === null || headers.has("Content-Encoding") ? null : Number(size);
}
