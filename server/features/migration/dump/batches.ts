import type { Dump } from "./openDump";
import { type Doc, keyOf, parseDocument } from "./values";

/** A document with its id as text. */
export interface Entry {
  key: string;
  doc: Doc;
}

/** Limits on the documents in memory: 16 MB is the largest document. */
const MAX_ENTRIES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/** Counts what becomes of documents. */
export interface DocumentCounter {
  read: number;
  skip(label: string, reason: string): void;
}

/**
 * Yields the documents of a collection in batches of limited size, always the same for the same file. Counts each, and
 * leaves out those that are not valid or have no id.
 */
export async function* batchesOf(dump: Dump, collection: string, counter: DocumentCounter): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for await (const document of dump.documents(collection)) {
    counter.read++;
    const doc = parseDocument(document);
    const key = keyOf(doc?._id) ?? keyOf(doc?.id);
    if (!doc) counter.skip(`document ${counter.read}`, "is not valid BSON");
    else if (key === undefined) counter.skip(`document ${counter.read}`, "has no _id");
    else batch.push({ key, doc });
    bytes += document.length;
    if (batch.length < MAX_ENTRIES && bytes < MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
