import type { Readable } from "node:stream";
import { CutOff, storageError } from "./storageError";

/** Times that reading goes on after a cut without a byte in between. */
const RESUMES = 3;

/** Bytes `start` to `end`, inclusive, of an object whose first response has arrived. */
interface WantedBytes {
  first: Readable;
  start: number;
  end: number;
  /** Requests the rest of the same object, from a byte on. */
  bodyFrom: (at: number) => Promise<Readable>;
}

/** Yields an object's bytes; requests the rest after a cut. `idleMs` as in `timely`. */
export async function* wholeBody({ first, start, end, bodyFrom }: WantedBytes, idleMs: number): AsyncGenerator<Buffer> {
  let body = first;
  let at = start;
  let cuts = 0;
  try {
    for (;;) {
      try {
        for await (const chunk of timely(body, idleMs)) {
          at += chunk.length;
          cuts = 0;
          yield chunk;
        }
        if (at > end) return;
        throw new CutOff("The storage's response ended early");
      } catch (error) {
        if (++cuts > RESUMES) throw storageError(error);
      }
      body.destroy();
      body = await bodyFrom(at);
    }
  } finally {
    body.destroy();
  }
}

/** Yields a body's chunks. Fails if none arrives for `idleMs` milliseconds, while one is awaited. */
export async function* timely(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => body.destroy(new CutOff("The storage's response stopped")), idleMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) return;
    yield value as Buffer;
  }
}
