import { t } from "@lingui/core/macro";
import { getImage } from "../../../shared/api/image";
import { postImage } from "../../io/http/postImage";
import { url } from "../../io/http/url";
import { addAnnotations } from "../document/addAnnotations";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import type { Layers } from "../document/layers";
import type { EditorParts } from "../editor/editorParts";
import { type ResponseAnnotations, readAnnotateResponse } from "./annotateResponse";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 32_000_000;

interface Parts {
  document: AnnotatorDocument;
  history: History;
  layers: Layers;
  parts: Pick<EditorParts, "compute">;
}

/** Returns true if the annotate URL of a dataset can be used (specification §4). */
export const isAnnotateUrl = (address: unknown): address is string => typeof address === "string" && address.length > 2;

/**
 * Sends the image to the dataset's annotate URL and adds the returned annotations as one undo step. Throws an error
 * with a message for the user, or the signal's reason.
 */
export async function annotateUrl(editor: Parts, signal: AbortSignal): Promise<ResponseAnnotations> {
  const { image, dataset } = editor.document.state;
  const file = await loadImageFile(image.id, signal);
  const response = await postImage(dataset.annotate_url, file, image.file_name, {
    signal,
    timeout: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const found = await readAnnotateResponse(response, {
    image,
    categories: editor.document.state.categories,
    metadata: dataset.default_annotation_metadata,
    trace: editor.parts.compute.trace,
    signal,
  });
  signal.throwIfAborted();
  addAnnotations(editor, { action: t`Annotate`, annotations: found.annotations });
  return found;
}

/** Loads the image file, if possible from the browser's cache, which also works offline. */
async function loadImageFile(id: number, signal: AbortSignal): Promise<Blob> {
  const address = url(getImage, { params: { id } });
  try {
    const response = await fetch(address, { credentials: "same-origin", cache: "force-cache", signal });
    if (response.ok) return await response.blob();
  } catch {
    signal.throwIfAborted();
  }
  throw new Error("The image file could not be loaded.");
}
