import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { writeZip } from "../../server/files/zip/zipWriter";

/** A zip of files by their paths, in the order given. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Blob> {
  const members = Object.entries(files).map(([path, content]) => ({ path, content }));
  return new Blob([new Uint8Array(await buffer(Readable.from(writeZip(members))))]);
}

/** The wanted files of a zip, read by a package that did not write it. */
export async function unzip(bytes: Uint8Array, isWanted = (_: string) => true): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    if (isWanted(entry.fileName)) files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
