/** Largest document that MongoDB stores, with room for what a dump adds. */
const MAX_DOCUMENT = 48 * 1024 * 1024;
const MIN_DOCUMENT = 5;

/** Error for a dump that cannot be read on: its file is cut off or damaged. */
export class DumpError extends Error {
  override name = "DumpError";
}

/**
 * Splits the bytes of a BSON file into its documents, which follow one another, each with its own length. Throws a
 * DumpError if the file ends inside a document, or if a length is impossible. `name`: the file's, for the message.
 */
export async function* readBson(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let held = 0;
  let count = 0;
  let offset = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    held += chunk.length;
    if (held < 4 || held < lengthOf(waiting, { name, count, offset })) continue;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = lengthOf([bytes.subarray(at)], { name, count, offset });
      if (bytes.length - at < length) break;
      yield bytes.subarray(at, at + length);
      at += length;
      offset += length;
      count++;
    }
    const rest = bytes.subarray(at);
    waiting.splice(0, waiting.length, ...(rest.length > 0 ? [rest] : []));
    held = rest.length;
  }
  if (held > 0) throw new DumpError(`${name} ends inside its document ${count + 1}, which begins at byte ${offset}.`);
}

interface Place {
  name: string;
  /** Documents before this one. */
  count: number;
  offset: number;
}

/** Returns the length of the document that the chunks begin with; they have at least four bytes. */
function lengthOf(chunks: readonly Uint8Array[], { name, count, offset }: Place): number {
  const [first] = chunks;
  const head = first && first.length >= 4 ? first : Buffer.concat(chunks);
  const length = new DataView(head.buffer, head.byteOffset, 4).getInt32(0, true);
  if (length >= MIN_DOCUMENT && length <= MAX_DOCUMENT) return length;
  throw new DumpError(`${name} is damaged at its document ${count + 1}, which begins at byte ${offset}.`);
}
