import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { WrittenEntry } from "../../../../server/features/exports/coco/exportDataset";
import { writeVersionFiles } from "../../../../server/features/versions/versionFiles";
import type { Files } from "../../../../server/files/files";
import { seededRandom } from "../../../support/seededRandom";

const NAMES = { file: "version.json.gz", entries_file: "version.entries.gz" };

/** Files of which one does not fit on the disk; the other one is written. */
function filesWithout(full: string): Files {
  const writeExport = async (name: string, chunks: AsyncIterable<Uint8Array>) => {
    const error = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    // Slow, so that the text waits for the disk.
    const write = (_chunk: unknown, _encoding: unknown, done: (error: Error | null) => void) =>
      void setTimeout(() => done(name === full ? error : null), 10);
    const disk = new Writable({ highWaterMark: 1, write });
    await pipeline(Readable.from(chunks), disk).catch(async (reason) => {
      // Removing the incomplete file takes longer than the end of the other one.
      if (name === full) await wait(100);
      throw reason;
    });
  };
  return { transfers: { writeExport } } as unknown as Files;
}

/** A text that is too long for the buffers of the streams, as random digits, which cannot be compressed much. */
async function* longText(onEntry: (entry: WrittenEntry) => void) {
  const random = seededRandom(1);
  for (let i = 0; i < 200; i++) {
    const digits = Array.from({ length: 1_000 }, () => random()).join("");
    onEntry({ image: 1, annotation: { id: i, category: 1 }, text: digits });
    yield digits;
  }
}

test.each(Object.values(NAMES))(
  "the error of a version that does not fit on the disk is that of the disk (%s)",
  async (name) => {
    const writing = writeVersionFiles(filesWithout(name), NAMES, longText);
    await expect(writing).rejects.toMatchObject({ code: "ENOSPC" });
  },
);
