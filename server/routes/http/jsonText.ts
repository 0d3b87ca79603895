import { Readable } from "node:stream";
import { isShort, jsonPieces } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";

/** An output that is serialized piece by piece while it is sent, since it may be too long for memory. */
export class JsonPieces {
  constructor(readonly pieces: AsyncIterable<string>) {}
}

/** Maximum number of characters passed to the socket at once. A shorter output is sent as one text. */
export const CHARACTERS = 250_000;

/**
 * Returns the body of an output: a text or, if it is long, a stream that serializes it for a few milliseconds at a time
 * with pauses for other requests. Rejects if the first pieces cannot be read.
 */
export async function bodyOf(output: unknown): Promise<string | Readable> {
  if (output instanceof JsonPieces) return ofPieces(output.pieces[Symbol.asyncIterator]());
  return isShort(output) ? JSON.stringify(output) : Readable.from(inTurns(jsonPieces(output)));
}

async function ofPieces(pieces: AsyncIterator<string>): Promise<string | Readable> {
  let text = "";
  while (text.length <= CHARACTERS) {
    const { done, value } = await pieces.next();
    if (done) return text;
    text += value;
  }
  return Readable.from(continued(text, pieces));
}

/** Yields the text read so far, then the remaining pieces. */
async function* continued(text: string, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield* slicesOf(text);
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield* slicesOf(next.value);
  } finally {
    await pieces.return?.();
  }
}

async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  const pause = makePause();
  for (const piece of pieces) {
    yield piece;
    await pause();
  }
}

/** Slices a text without splitting surrogate pairs. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = from + CHARACTERS;
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
