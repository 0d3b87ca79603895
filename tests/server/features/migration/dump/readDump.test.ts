import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { serialize } from "bson";
import { describe, expect, it } from "vitest";
import { openDump } from "../../../../../server/features/migration/dump/openDump";
import { readBson } from "../../../../../server/features/migration/dump/readBson";
import { surveyDump } from "../../../../../server/features/migration/dump/survey";
import { parseDocument } from "../../../../../server/features/migration/dump/values";
import { temporaryFolder } from "../../../../support/folders";
import { oldDataset, oldUser, writeDump } from "../../../../support/originalDump";

const read = async (bytes: Uint8Array, step: number) => {
  const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
    bytes.subarray(i * step, (i + 1) * step),
  );
  const numbers: unknown[] = [];
  for await (const each of readBson(Readable.from(chunks), "x.bson")) numbers.push(parseDocument(each)?.n);
  return numbers;
};

describe("documents of a BSON file", () => {
  const documents = Array.from({ length: 50 }, (_, n) => serialize({ n, text: "x".repeat(n * 7) }));
  const bytes = Buffer.concat(documents);

  it.each([1, 3, 5, 64, 1000, 1e6])("are the same in chunks of %d bytes", async (step) => {
    expect(await read(bytes, step)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it("a document of 16 MB is read whole", async () => {
    const long = serialize({ n: 1, text: "x".repeat(16 * 1024 * 1024 - 100) });
    expect(await read(Buffer.concat([long, serialize({ n: 2 })]), 65_536)).toEqual([1, 2]);
  });

  it("a file that is cut off is reported with the place, after its complete documents", async () => {
    const cut = bytes.subarray(0, bytes.length - 3);
    const seen: unknown[] = [];
    const all = async () => {
      for await (const each of readBson(Readable.from([cut]), "x.bson")) seen.push(parseDocument(each)?.n);
    };
    await expect(all()).rejects.toThrow(/^x\.bson ends inside its document 50, which begins at byte \d+\.$/);
    expect(seen).toHaveLength(49);
    await expect(read(Buffer.from([1, 0, 0, 0, 0]), 5)).rejects.toThrow("x.bson is damaged at its document 1");
  });
});

describe("the folder of a dump", () => {
  const documents = { user_model: [oldUser("ann")], dataset_model: [oldDataset(1, "cats")] };

  it.each([false, true])("may be the database's folder or one around it (gzip: %s)", async (gzip) => {
    const folder = temporaryFolder();
    const inner = writeDump(join(folder, "dump"), documents, { database: "my db", gzip });
    for (const path of [inner, join(folder, "dump"), folder]) {
      const dump = await openDump(path);
      expect(dump).toMatchObject({ database: "my db", folder: inner, collections: ["dataset_model", "user_model"] });
      expect((await surveyDump(dump)).counts).toMatchObject({ user_model: 1, dataset_model: 1, image_model: 0 });
    }
  });

  it("with several databases needs the name of one", async () => {
    const folder = temporaryFolder();
    writeDump(folder, documents, { database: "one" });
    writeDump(folder, documents, { database: "two" });
    writeDump(folder, { system: [] }, { database: "admin" });
    writeDump(folder, { other: [] }, { database: "other" });
    await expect(openDump(folder)).rejects.toThrow(/several databases: two, one\. Add --database=NAME/);
    expect((await openDump(folder, "two")).database).toBe("two");
    await expect(openDump(folder, "three")).rejects.toThrow("no database three");
  });

  it("must have a database of COCO Annotator, and must not be an archive", async () => {
    const folder = temporaryFolder();
    await expect(openDump(join(folder, "none"))).rejects.toThrow("does not exist");
    await expect(openDump(folder)).rejects.toThrow("has no database of COCO Annotator");
    const archive = join(folder, "all.archive");
    writeFileSync(archive, Buffer.from([0x6d, 0xe2, 0x99, 0x81, 0, 0]));
    await expect(openDump(archive)).rejects.toThrow("mongodump --archive are not supported");
    await expect(openDump(folder)).rejects.toThrow("mongodump --archive are not supported");
    mkdirSync(join(folder, "empty"));
    await expect(openDump(join(folder, "empty"))).rejects.toThrow("has no database of COCO Annotator");
  });

  it("is surveyed for the highest ids, also of deleted documents, and for damage", async () => {
    const folder = temporaryFolder();
    const inner = writeDump(folder, {
      ...documents,
      image_model: [{ _id: 7 }, { _id: 3 }],
      "mongoengine.counters": [{ _id: "image_model.id", next: 12 }],
      mystery: [{ _id: 1 }],
    });
    const survey = await surveyDump(await openDump(folder));
    expect(survey.lastIds).toMatchObject({ image_model: 12, dataset_model: 1, annotation_model: 0 });
    expect(survey.marks).toEqual([`user ${documents.user_model[0]?._id}`]);
    expect(survey.others).toContainEqual({ name: "mystery", count: 1 });
    const file = join(inner, "image_model.bson");
    writeFileSync(file, readFileSync(file).subarray(0, 16));
    expect((await surveyDump(await openDump(folder))).damage).toEqual([
      "image_model.bson ends inside its document 2, which begins at byte 14.",
    ]);
  });

  it("is surveyed for compressed files that are cut off", async () => {
    const folder = temporaryFolder();
    const inner = writeDump(folder, documents, { gzip: true });
    const file = join(inner, "user_model.bson.gz");
    writeFileSync(file, readFileSync(file).subarray(0, 40));
    const { damage } = await surveyDump(await openDump(folder));
    expect(damage).toEqual(["user_model.bson.gz is cut off: its compressed data ends too early."]);
    writeFileSync(file, "no gzip");
    expect((await surveyDump(await openDump(folder))).damage[0]).toMatch(/cannot be read/);
  });
});
