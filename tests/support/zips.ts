import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { writeZip } from "../../server/files/zip/zipWriter";

/** Returns a zip of files by their paths, in the given order. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Blob> {
  const members = Object.entries(files).map(([path, content]) => ({ path, content }));
  return new Blob([new Uint8Array(await buffer(Readable.from(writeZip(members))))]);
}

/** Returns the requested files of a zip, read by a different package than the one that writes zips. */
export async function unzip(bytes: Uint8Array, isWanted = (_: string) => true): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    if (isWanted(entry.fileName)) files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
