import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Length of a slice in bytes. It holds at most some 200 empty files, which take about 20 ms to create. */
const SLICE = 16_384;

/**
 * Returns the body of a request in slices with a turn of the event loop after each, so that a body of many small parts
 * does not hold up other requests. The returned stream has the headers of the request, as parsers of forms expect.
 */
export function inSlices(req: IncomingMessage): Readable & Pick<IncomingMessage, "headers"> {
  return Object.assign(Readable.from(slicesOf(req), { objectMode: false }), { headers: req.headers });
}

async function* slicesOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  // Keeps the connection open for the response even if the parser stops reading.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
    for (let start = 0; start < chunk.length; start += SLICE) {
      yield chunk.subarray(start, start + SLICE);
      await nextTurn();
    }
}
