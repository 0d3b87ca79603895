import type { Context } from "koa";
import { MAX_JSON_DEPTH } from "../../shared/constants";
import { badRequest, HttpError, tooLarge, tooMany } from "../base/errors";
import { currentRequester } from "../base/requester";

const DEADLINE_MS = 60_000;

/**
 * Returns the request's JSON as bytes. Throws 413 above `maxBytes`, 415 for compressed bodies and for a content type
 * that is not JSON (unless `anyType`).
 */
export async function readJsonBytes(ctx: Context, maxBytes: number, anyType: boolean): Promise<Buffer> {
  const bytes = await readBytes(ctx, maxBytes);
  if (bytes.length > 0 && !anyType && !ctx.is("json", "+json"))
    throw unsupported("Send JSON with content type application/json.");
  return bytes;
}

/** Parses JSON; returns `undefined` for an empty text. Throws 400 if it is not JSON in UTF-8 or nested too deep. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  requireLowDepth(bytes);
  return parseAnyDepth(bytes);
}

/** Throws 400 for JSON that is nested too deep. */
export function requireLowDepth(bytes: Uint8Array): void {
  if (isTooDeep(bytes, MAX_JSON_DEPTH)) throw badRequest(`JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
}

async function readBytes(ctx: Context, maxBytes: number): Promise<Buffer> {
  if (Number(ctx.get("Content-Length")) > maxBytes) throw tooLarge();
  if (!["", "identity"].includes(ctx.get("Content-Encoding"))) throw unsupported("Send the body without compression.");
  // Without an announced length, the client may send up to `maxBytes`.
  const release = hold(Number(ctx.get("Content-Length") || maxBytes));
  const deadline = setTimeout(() => ctx.req.destroy(), DEADLINE_MS);
  try {
    return await gather(ctx, maxBytes);
  } finally {
    clearTimeout(deadline);
    release();
  }
}

/** Bytes of bodies that are being received, by requester. */
const receiving = new Map<string, number>();
/** Bytes that one requester may send at the same time: four of the largest bodies. */
const MOST_AT_ONCE = 128_000_000;
/** Bodies up to this size are not counted. */
const SMALL = 1_000_000;
const RETRY_SECONDS = 2;

/**
 * Counts a body that is about to be received, until the returned function is called. Throws 429 if the requester is
 * sending too much at once, since many slow bodies would fill the memory.
 */
function hold(bytes: number): () => void {
  if (bytes <= SMALL) return () => undefined;
  const requester = currentRequester();
  const before = receiving.get(requester) ?? 0;
  if (before + bytes > MOST_AT_ONCE)
    throw tooMany(RETRY_SECONDS, "Your earlier requests are still being received. Please try again in a moment.");
  receiving.set(requester, before + bytes);
  return () => {
    const left = (receiving.get(requester) ?? 0) - bytes;
    if (left > 0) receiving.set(requester, left);
    else receiving.delete(requester);
  };
}

/** Gathers a body in one buffer of the announced length, which takes no memory until it is filled. */
async function gather(ctx: Context, maxBytes: number): Promise<Buffer> {
  let bytes: Buffer = Buffer.allocUnsafeSlow(Number(ctx.get("Content-Length") || FIRST_BYTES));
  let length = 0;
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    const from = length;
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    if (length > bytes.length) bytes = enlarged(bytes, Math.max(2 * bytes.length, length));
    bytes.set(chunk, from);
  }
  return length === bytes.length ? bytes : enlarged(bytes.subarray(0, length), length);
}

/** Length of the first buffer for a body of unknown length. */
const FIRST_BYTES = 64_000;

/** Returns a new buffer of `length` bytes that starts with a copy of `bytes`. */
function enlarged(bytes: Uint8Array, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length);
  larger.set(bytes);
  return larger;
}

/** Parses JSON whose depth was checked. Throws 400 if it is not JSON in UTF-8. */
export function parseAnyDepth(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest("The body is not valid JSON.");
  }
}

/**
 * Returns true if arrays and objects nest deeper than `most`. Checks the bytes before parsing, since a deeply nested
 * value would overflow the stack of any code that traverses it.
 */
export function isTooDeep(json: Uint8Array, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++depth > most) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const unsupported = (message: string) => new HttpError(415, message);
