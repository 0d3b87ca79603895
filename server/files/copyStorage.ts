import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OpenFile } from "./paths/openImageFile";
import type { TemporaryFiles } from "./paths/temporaryFiles";
import type { NamedFiles, Storage } from "./storage/storage";

/** Result of a copy. A repeat finds the files of an earlier one: they are whole, because storages write whole files. */
export interface Copied {
  /** Files that were written, and read back to compare their hash. */
  copied: number;
  bytes: number;
  /** Files that the target already had. */
  present: number;
  problems: number;
}

export interface CopyOptions {
  from: Storage;
  to: Storage;
  temporary: TemporaryFiles;
  /** True to compare the bytes of files that the target already had, too, not only their sizes. */
  verify: boolean;
  /** Receives each problem as one line. */
  report: (problem: string) => void;
}

const FILES_AT_ONCE = 4;
/** Kinds of files that are copied besides images. Views are made again, and the trash lasts only a day. */
const NAMED = ["exports", "uploads", "zips"] as const;

/**
 * Copies images, exports and uploads from one storage to another, in which nothing is overwritten or deleted. Both may
 * be in use; files that are added meanwhile are found by a repeat.
 */
export async function copyStorage(options: CopyOptions): Promise<Copied> {
  const result: Copied = { copied: 0, bytes: 0, present: 0, problems: 0 };
  const report = (problem: string) => {
    result.problems++;
    options.report(problem);
  };
  await inParallel(steps({ ...options, report }), async (step) => {
    const outcome = await step();
    if (outcome === "present") result.present++;
    if (typeof outcome !== "number") return;
    result.copied++;
    result.bytes += outcome;
  });
  return result;
}

/** Copies one file. Returns its size, "present", or undefined after a problem was reported or if the file is gone. */
type Step = () => Promise<number | "present" | undefined>;

async function* steps(options: CopyOptions): AsyncGenerator<Step> {
  for (const folder of await options.from.images.folders())
    for await (const found of options.from.images.listFiles(folder)) {
      if ("problem" in found) options.report(`${folder}/${found.path}: ${found.problem}`);
      else yield () => copyImage(options, folder, found.path);
    }
  for (const kind of NAMED)
    for (const { name } of await options.from[kind].list())
      yield () => copyNamed(options, `${kind}/${name}`, options.from[kind], options.to[kind], name);
}

function copyImage(options: CopyOptions, folder: string, path: string) {
  const { from, to } = options;
  return copyFile(options, `${folder}/${path}`, {
    source: () => from.images.open(folder, path),
    target: () => to.images.open(folder, path),
    store: async (file, hash) => (await to.images.store(folder, path, file, hash)) !== "different",
  });
}

function copyNamed(options: CopyOptions, label: string, from: NamedFiles, to: NamedFiles, name: string) {
  return copyFile(options, label, {
    source: () => from.open(name),
    target: () => to.open(name),
    store: (file) => to.keep(name, file).then(() => true),
  });
}

interface OneFile {
  source: () => Promise<OpenFile | undefined>;
  target: () => Promise<OpenFile | undefined>;
  /** Moves a local file to the target; returns false if it has another file. */
  store: (file: string, hash: string) => Promise<boolean>;
}

async function copyFile(options: CopyOptions, label: string, one: OneFile): ReturnType<Step> {
  const opened: OpenFile[] = [];
  const open = async (what: OneFile["source"]) => {
    const file = await what();
    if (file) opened.push(file);
    return file;
  };
  try {
    const source = await open(one.source);
    if (!source) return undefined;
    const present = await open(one.target);
    if (!present) return await storeCopy(options, label, { ...one, source, written: () => open(one.target) });
    const isSame =
      present.bytes === source.bytes && (!options.verify || (await hashOfOpen(present)) === (await hashOfOpen(source)));
    if (isSame) return "present";
    options.report(`${label}: the target has another file`);
    return undefined;
  } finally {
    for (const file of opened) await file.close();
  }
}

interface OneCopy extends Pick<OneFile, "store"> {
  source: OpenFile;
  /** Opens the file that was stored. */
  written: OneFile["target"];
}

/** Stores a copy of an open file, and reads it back. Returns its size, or undefined after a problem was reported. */
async function storeCopy({ temporary, report }: CopyOptions, label: string, { source, store, written }: OneCopy) {
  const file = await temporary.make();
  try {
    const hash = await hashOfOpen(source, file);
    const isStored = await store(file, hash);
    const result = isStored ? await written() : undefined;
    if (result && result.bytes === source.bytes && (await hashOfOpen(result)) === hash) return result.bytes;
    report(`${label}: ${isStored ? "the copy has other bytes" : "the target has another file"}`);
    return undefined;
  } finally {
    await temporary.remove(file);
  }
}

/** Reads an open file to its end, and writes it to the path `to` if given. Returns its SHA-256 in hexadecimal. */
async function hashOfOpen(file: OpenFile, to?: string): Promise<string> {
  const hash = createHash("sha256");
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, to === undefined ? undefined : chunk);
    },
  });
  const source = await file.stream();
  if (to === undefined) await pipeline(source, hashed.resume());
  else await pipeline(source, hashed, createWriteStream(to, { flags: "wx" }));
  return hash.digest("hex");
}

/** Runs `work` for every item, FILES_AT_ONCE at a time. The first failure ends it. */
async function inParallel<T>(items: AsyncGenerator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
  };
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
  } finally {
    await items.return(undefined);
  }
}
