import { getImage } from "../../../shared/api/image";
import { postImage } from "../../io/http/postImage";
import { url } from "../../io/http/url";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import type { EditorParts } from "../editor/editor";
import { addAnnotations } from "./additions";
import { type Found, readAnswer } from "./annotateAnswer";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 32_000_000;

interface Parts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  parts: Pick<EditorParts, "compute">;
}

/** Returns true if a dataset has a usable annotate address (specification §4). */
export const isAnnotateUrl = (address: unknown): address is string => typeof address === "string" && address.length > 2;

/**
 * Sends the image to the dataset's annotate URL and adds what comes back as one undo step. Throws the reason, in words
 * for the person, and the signal's reason.
 */
export async function annotateUrl(editor: Parts, signal: AbortSignal): Promise<Found> {
  const { image, dataset } = editor.document.state;
  const file = await loadImageFile(image.id, signal);
  const answer = await postImage(dataset.annotate_url, file, image.file_name, {
    signal,
    timeout: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const found = await readAnswer(answer, {
    image,
    categories: editor.document.state.categories,
    metadata: dataset.default_annotation_metadata,
    trace: editor.parts.compute.trace,
    signal,
  });
  signal.throwIfAborted();
  addAnnotations(editor, { action: "Annotate", annotations: found.annotations });
  return found;
}

/** The file as the canvas shows it: out of the browser's cache, where it is there, also without network. */
async function loadImageFile(id: number, signal: AbortSignal): Promise<Blob> {
  const address = url(getImage, { params: { id } });
  try {
    const answer = await fetch(address, { credentials: "same-origin", cache: "force-cache", signal });
    if (answer.ok) return await answer.blob();
  } catch {
    signal.throwIfAborted();
  }
  throw new Error("The image file could not be loaded.");
}
