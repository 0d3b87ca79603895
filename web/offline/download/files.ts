import { plural, t } from "@lingui/core/macro";
import { getImage } from "../../../shared/api/image";
import { unreachableError } from "../../../shared/api/protocol/requestError";
import { anySignal } from "../../../shared/async/signals";
import { expectedBytes, hasFile, testOf } from "../copy/chosen";
import type { CopyStore } from "../copy/copyStore";
import type { DatasetRow, FileForm, ImageRow } from "../copy/records";
import { FileWriter } from "./fileWriter";
import { isTemporary } from "./outcome";
import type { DownloadPorts, FetchedFile, FileLoader, Part } from "./ports";

/** Number of files that are downloaded at once. */
const AT_ONCE = 4;
/** Maximum number of images that a message names. */
const MAX_NAMES = 3;

/**
 * Downloads the files of chosen images that are missing or outdated. Leaves out an image whose download fails twice.
 * Returns a message for the user about the images left out, or null. Rejects if the server cannot be reached, and if
 * the browser cannot store a file.
 */
export async function downloadFiles(
  store: CopyStore,
  { loader }: Pick<DownloadPorts, "loader">,
  { id, choice }: DatasetRow,
  signal: AbortSignal,
): Promise<string | null> {
  if (!choice) return null;
  const { form } = choice;
  const isChosen = testOf(choice);
  const waiting = await store.images
    .where("dataset_id")
    .equals(id)
    .filter((row) => isChosen(row.id) && !hasFile(row, form))
    .toArray();
  const queue = waiting.values();
  const stopping = new AbortController();
  const leftOut: string[] = [];
  const own = anySignal([signal, stopping.signal]);
  const writer = new FileWriter(store);
  const resumable = new Set(await store.parts.toCollection().primaryKeys());
  const work = async () => {
    for (const row of queue) {
      if (own.signal.aborted) return;
      const part = resumable.has(row.id) ? await store.parts.get(row.id) : undefined;
      const blob = await downloadFile(store, loader, { row, form, part, isShown: false }, own.signal);
      if (blob === "broken") leftOut.push(row.path);
      // Stored while the next file arrives.
      else if (blob) await writer.add({ row, form, blob });
    }
  };
  // Only the first error counts: it stops the other downloads, which then fail because of that.
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error) => stopping.abort(error))));
  await writer.flush().catch((error) => stopping.abort(error));
  own.stop();
  own.signal.throwIfAborted();
  return leftOut.length > 0 ? describe(leftOut) : null;
}

function describe(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMES).join(", ");
  const more = paths.length - MAX_NAMES;
  const list = more > 0 ? t`${names} and ${more} more` : names;
  return plural(paths.length, {
    one: `One image could not be downloaded: ${list}. Try again, or check the files on the server.`,
    other: `# images could not be downloaded: ${list}. Try again, or check the files on the server.`,
  });
}

interface WantedFile {
  row: ImageRow;
  form: FileForm;
  part: Part | undefined;
  /** True if the page has probably just shown the file. */
  isShown: boolean;
}

/**
 * Returns a file; undefined if the image was deleted, and "broken" if the download failed twice for a reason that
 * concerns only this file. Stores what arrived of an interrupted download. Rejects if the server cannot be reached.
 */
export async function downloadFile(
  store: CopyStore,
  loader: FileLoader,
  { row, form, part: first, isShown }: WantedFile,
  signal: AbortSignal,
): Promise<Blob | "broken" | undefined> {
  const { id, width, height } = row;
  let part: Part | null = first ?? null;
  for (const isLast of [false, true]) {
    const wish = { imageId: id, form, width, height, part, bytes: expectedBytes(form, row), isShown };
    let storing = Promise.resolve();
    const keepPart = (received: Part) => {
      part = received;
      storing = storing.then(() => storePart(store, id, received));
      storing.catch(() => undefined);
    };
    const fetched = await loader.load(wish, keepPart, signal);
    if (fetched.kind === "failed" && fetched.part) keepPart(fetched.part);
    await storing;
    if (fetched.kind === "file") return fetched.blob;
    signal.throwIfAborted();
    throwIfUnreachable(fetched);
    // The image was deleted, and the next manifest will not list it.
    if (fetched.kind === "failed" && fetched.status === 404) return undefined;
    if (fetched.kind === "damaged") {
      part = null;
      await store.parts.delete(id);
    }
    if (isLast) break;
  }
  return "broken";
}

function throwIfUnreachable(fetched: FetchedFile): void {
  if (fetched.kind !== "failed" || !(isTemporary(fetched.status) || fetched.status === 401)) return;
  throw unreachableError(getImage.title);
}

/** Stores what has arrived of a file, unless its image has left the copy. */
function storePart(store: CopyStore, imageId: number, part: Part): Promise<void> {
  return store.changeAll(async () => {
    if (await store.images.get(imageId)) await store.parts.put({ image_id: imageId, blob: part.blob, tag: part.tag });
  });
}
