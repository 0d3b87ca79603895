import type { Context } from "koa";
import { MAX_JSON_DEPTH } from "../../shared/constants";
import { badRequest, HttpError, tooLarge } from "../base/errors";

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
  if (isTooDeep(bytes, MAX_JSON_DEPTH)) throw badRequest(`JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
  return parse(bytes);
}

async function readBytes(ctx: Context, maxBytes: number): Promise<Buffer> {
  if (Number(ctx.get("Content-Length")) > maxBytes) throw tooLarge();
  if (!["", "identity"].includes(ctx.get("Content-Encoding"))) throw unsupported("Send the body without compression.");
  const deadline = setTimeout(() => ctx.req.destroy(), DEADLINE_MS);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(deadline);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
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
