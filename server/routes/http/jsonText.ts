import { Readable } from "node:stream";
import { isShort, jsonPieces } from "../../threads/jsonInTurns";
import { makePause } from "../../threads/makePause";

/** An output that is written already, as JSON.stringify would have. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An output that is written piece by piece while it is sent, since it may be longer than the memory holds. */
export class JsonPieces {
  constructor(readonly pieces: AsyncIterable<string>) {}
}

/** Characters of a text that are handed to the socket at once. */
const CHARACTERS = 250_000;

/**
 * Returns the body that sends an output: a text, or, where that is long, a stream that writes and sends it a few
 * milliseconds at a time, so that others have their turn. Rejects as the first pieces do.
 */
export async function bodyOf(output: unknown): Promise<string | Readable> {
  if (output instanceof JsonPieces) return ofPieces(output.pieces[Symbol.asyncIterator]());
  if (output instanceof JsonText)
    return output.text.length <= CHARACTERS ? output.text : Readable.from(inTurns(slicesOf(output.text)));
  return isShort(output) ? JSON.stringify(output) : Readable.from(inTurns(jsonPieces(output)));
}

async function ofPieces(pieces: AsyncIterator<string>): Promise<string | Readable> {
  let text = "";
  while (text.length <= CHARACTERS) {
    const { done, value } = await pieces.next();
    if (done) return text;
    text += value;
  }
  return Readable.from(goOn(text, pieces));
}

async function* goOn(begun: string, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield begun;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
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

/** Cuts between characters: one of two code units is written as one. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = from + CHARACTERS;
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
