import { createWriteStream } from "node:fs";
import { access, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { api } from "../../shared/api";
import { EXPORT_FORMATS, type ExportFormat } from "../../shared/entities/export";
import { choiceOf } from "../base/choiceOf";
import type { Command } from "../base/command";
import { type Client, findDataset } from "../base/connect";
import { CommandError } from "../base/errors";
import { waitForTask } from "../base/waitForTask";
import { listOf } from "./datasets";

export const exportDataset: Command = {
  name: "export",
  usage: "DATASET --output FILE",
  summary: "Export the annotations of a dataset to a file. It also stays in the dataset's list of exports",
  words: [1, 1],
  options: {
    output: { type: "string", short: "o" },
    format: { type: "string" },
    categories: { type: "string" },
    folder: { type: "string" },
    segmentation: { type: "string" },
    split: { type: "string" },
    seed: { type: "string" },
    "with-empty-images": { type: "boolean" },
    "only-accepted": { type: "boolean" },
    "with-images": { type: "boolean" },
    force: { type: "boolean" },
  },
  optionHelp: {
    "output FILE": "the file to write; a zip for all formats but coco, and with --split or --with-images",
    "format FORMAT": `one of ${Object.keys(EXPORT_FORMATS).join(", ")}; coco by default`,
    "categories A,B": "names or ids; all by default",
    "folder FOLDER": "only images in this folder of the dataset and below",
    "segmentation polygon|rle": "write all shapes in one form (coco)",
    "split 80,10,10": "shares of the train, val and test sets",
    "seed TEXT": "the same seed splits the same images in the same way",
    "with-empty-images": "include images without annotations",
    "only-accepted": "leave out images that are not accepted, or not done",
    "with-images": "include the image files",
    force: "replace FILE if it exists",
  },
  async run({ words: [wanted = ""], text, has, output, connect, signal }) {
    const target = text("output") ?? "";
    const query = {
      format: choiceOf("format", text("format"), FORMATS),
      folder: text("folder"),
      segmentation: choiceOf("segmentation", text("segmentation"), ["polygon", "rle"]),
      split: text("split"),
      seed: text("seed"),
      with_empty_images: has("with-empty-images"),
      ...(has("only-accepted") && { only_accepted: true }),
      with_images: has("with-images"),
    };
    if (!has("force")) await requireFree(target);
    const client = await connect();
    const { id } = await findDataset(client, wanted);
    const categories = await categoryIds(client, listOf(text("categories")));
    const started = await client.request(api.exports.exportDataset, {
      params: { id },
      query: { ...query, categories },
    });
    const { result } = await waitForTask(client, started.id, output, signal);
    const exportId = exportOf(result);
    const response = await client.download(api.exports.downloadExport, { params: { id: exportId } });
    const bytes = await writeWhole(response, target, signal);
    output.result({ file: target, bytes, export: exportId }, `${target}: ${bytes} bytes`);
  },
};

const FORMATS = Object.keys(EXPORT_FORMATS) as ExportFormat[];

async function requireFree(target: string): Promise<void> {
  const isThere = await access(target).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`${target} exists. Use --force to replace it.`);
}

async function categoryIds(client: Client, wanted: string[]): Promise<string | undefined> {
  if (wanted.length === 0) return undefined;
  const all = await client.request(api.category.listCategories);
  const ids = wanted.map((word) => {
    const found = all.find(({ name }) => name === word) ?? all.find(({ id }) => String(id) === word);
    if (!found) throw new CommandError(`There is no category "${word}".`);
    return found.id;
  });
  return ids.join(",");
}

function exportOf(result: unknown): number {
  const id = typeof result === "object" && result !== null && "export_id" in result ? Number(result.export_id) : 0;
  if (!id) throw new CommandError("The export has ended without a file.");
  return id;
}

/** Writes a response's body to a file beside the target and then renames it, so that the target is never incomplete. */
async function writeWhole(response: Response, target: string, signal: AbortSignal): Promise<number> {
  const draft = `${target}.part`;
  try {
    const body = Readable.fromWeb((response.body ?? new Blob([]).stream()) as ReadableStream);
    await pipeline(body, createWriteStream(draft), { signal });
    const { size } = await stat(draft);
    await rename(draft, target);
    return size;
  } finally {
    await rm(draft, { force: true });
  }
}
