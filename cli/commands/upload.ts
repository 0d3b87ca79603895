import { openAsBlob } from "node:fs";
import { basename, join } from "node:path";
import { api } from "../../shared/api";
import { folderPath } from "../../shared/rules/folders";
import type { Command } from "../base/command";
import { type Client, findDataset } from "../base/connect";
import { EXIT, usageError } from "../base/errors";
import { type FoundFile, findImages, hashOf } from "./findImages";

/** Outcome of one file; `skipped`: the dataset has it already. */
interface Outcome {
  path: string;
  status: "added" | "known" | "restored" | "skipped" | "refused" | "task";
  message: string | null;
}

const CONCURRENCY = 4;

export const upload: Command = {
  name: "upload",
  usage: "FOLDER --dataset DATASET",
  summary:
    "Upload the images of a folder and its sub-folders. Run it again to continue: files that are there are skipped",
  words: [1, 1],
  options: { dataset: { type: "string" }, folder: { type: "string" }, concurrency: { type: "string" } },
  optionHelp: {
    "dataset DATASET": "id or name",
    "folder FOLDER": "folder of the dataset to upload into; its top level by default",
    "concurrency N": `number of uploads at a time, 1 to 16; ${CONCURRENCY} by default`,
  },
  async run({ words: [local = ""], text, output, connect, signal }) {
    const concurrency = Number(text("concurrency") ?? CONCURRENCY);
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 16)
      throw usageError("--concurrency must be a number from 1 to 16.");
    const files = await findImages(local);
    const client = await connect();
    const { id } = await findDataset(client, text("dataset") ?? "");
    const present = await presentImages(client, id);
    const outcomes: Outcome[] = [];
    const waiting = files.entries();
    const work = async () => {
      for (const [index, file] of waiting) {
        signal.throwIfAborted();
        const path = folderPath(text("folder") ?? "") + file.path;
        outcomes[index] = await uploadOne(client, id, join(local, file.path), { ...file, path }, present.get(path));
        const finished = outcomes.filter(Boolean).length;
        output.progress(finished, files.length, `${finished} of ${files.length} images`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    const refused = outcomes.filter(({ status }) => status === "refused");
    for (const { path, message } of refused) output.note(`${path}: ${message}`);
    const counts = countsOf(outcomes);
    output.result({ dataset: id, counts, refused }, describe(counts) || "The folder has no images.");
    return refused.length > 0 ? EXIT.failed : EXIT.done;
  },
};

type Present = Map<string, { bytes: number; hash: string }>;

async function presentImages(client: Client, id: number): Promise<Present> {
  const { images } = await client.request(api.offline.getManifest, { params: { id } });
  return new Map(images.map(({ path, bytes, hash }) => [path, { bytes, hash }]));
}

async function uploadOne(
  client: Client,
  id: number,
  local: string,
  file: FoundFile,
  present: { bytes: number; hash: string } | undefined,
): Promise<Outcome> {
  const { path } = file;
  if (present?.bytes === file.bytes && present.hash === (await hashOf(local)))
    return { path, status: "skipped", message: null };
  const part = new File([await openAsBlob(local)], basename(local));
  const sent = await client.upload(api.dataset.uploadToDataset, {
    params: { id },
    fields: { paths: path },
    files: [part],
  });
  const [outcome] = sent.files;
  return { path, status: outcome?.status ?? "refused", message: outcome?.message ?? null };
}

function countsOf(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const describe = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${TEXTS[status] ?? status}`)
    .join(", ");
const TEXTS: Record<string, string> = { known: "already there", skipped: "already there, not sent" };
