import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type CopyOptions, copyStorage } from "../../../../server/files/copyStorage";
import { type FileSettings, storageOf } from "../../../../server/files/files";
import { makeTemporaryFiles } from "../../../../server/files/paths/temporaryFiles";
import { temporaryFolder } from "../../../support/folders";
import { writeFiles } from "../../../support/images";
import { describeOnS3, putObject } from "../../../support/s3Server";
import type { TestBucket } from "../../../support/startS3";

describeOnS3("copying the files of an installation", (bucket) => {
  const data = temporaryFolder();
  const other = temporaryFolder();
  const folders = (folder: string): FileSettings => ({
    DATA_DIR: folder,
    DATASETS_DIR: join(folder, "datasets"),
    MAX_UPLOAD_MB: 10,
  });
  const images: Record<string, Buffer> = {};
  for (let i = 0; i < 30; i++) images[`set ${i % 3}/ö ${i % 5}/image+${i}.png`] = Buffer.alloc(1000 * i + 1, i);
  let settings: TestBucket;
  let problems: string[] = [];

  beforeAll(async () => {
    settings = await bucket();
    await writeFiles(join(data, "datasets"), images);
    await writeFiles(join(data, "datasets"), { ".trash/image-1/a.png": Buffer.from("deleted") });
    for (const kind of ["exports", "uploads"]) await writeFiles(join(data, kind), { "one.json": Buffer.from(kind) });
  });

  function copy(from: FileSettings, to: FileSettings, verify = false, more: Partial<CopyOptions> = {}) {
    problems = [];
    const temporary = makeTemporaryFiles(join(data, "tmp"));
    const report = (problem: string) => problems.push(problem);
    return copyStorage({ from: storageOf(from), to: storageOf(to), temporary, verify, report, ...more });
  }

  it("goes on after it was interrupted, and copies nothing twice", async () => {
    const inBucket = { ...folders(data), ...settings };
    let made = 0;
    const temporary = makeTemporaryFiles(join(data, "tmp"));
    const interrupted = {
      ...temporary,
      make: () => (++made > 10 ? Promise.reject(new Error("interrupted")) : temporary.make()),
    };
    await expect(copy(folders(data), inBucket, false, { temporary: interrupted })).rejects.toThrow("interrupted");
    const { copied, present, ...rest } = await copy(folders(data), inBucket);
    expect([copied + present, problems, rest.problems]).toEqual([32, [], 0]);
    expect(present).toBeGreaterThan(5);
    expect(await copy(folders(data), inBucket, true)).toEqual({ copied: 0, bytes: 0, present: 32, problems: 0 });
  });

  it("brings everything back, byte for byte", async () => {
    mkdirSync(join(other, "datasets"));
    const { copied } = await copy({ ...folders(other), ...settings }, folders(other));
    expect(copied).toBe(32);
    for (const [path, bytes] of Object.entries(images))
      expect(readFileSync(join(other, "datasets", path)).equals(bytes), path).toBe(true);
    for (const kind of ["exports", "uploads"]) expect(readFileSync(join(other, kind, "one.json"), "utf8")).toBe(kind);
  });

  it("reports files of other bytes, and changes none of them", async () => {
    const [path = "", bytes = Buffer.alloc(0)] = Object.entries(images).at(-1) ?? [];
    await putObject(settings, `datasets/${path}`, Buffer.alloc(bytes.length, 99));
    const inBucket = { ...folders(data), ...settings };
    expect(await copy(folders(data), inBucket)).toMatchObject({ problems: 0 });
    expect(await copy(folders(data), inBucket, true)).toMatchObject({ copied: 0, problems: 1 });
    expect(problems).toEqual([`${path}: the target has another file`]);
    await putObject(settings, `datasets/${path}`, Buffer.from("other size"));
    expect(await copy(folders(data), inBucket)).toMatchObject({ copied: 0, problems: 1 });
    writeFileSync(join(data, "datasets", "set 1", "added.png"), "new");
    rmSync(join(data, "datasets", path));
    expect(await copy(folders(data), inBucket)).toMatchObject({ copied: 1, bytes: 3, problems: 0 });
  });
});
