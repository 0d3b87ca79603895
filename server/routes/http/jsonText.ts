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
 * milliseconds at a time, so that others have their turn.
 */
export function bodyOf(output: unknown): string | Readable {
  if (output instanceof JsonPieces) return Readable.from(output.pieces);
  if (output instanceof JsonText)
    return output.text.length <= CHARACTERS ? output.text : Readable.from(inTurns(slicesOf(output.text)));
  return isShort(output) ? JSON.stringify(output) : Readable.from(inTurns(jsonPieces(output)));
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
