import { getImage, getImageCoco } from "../../../shared/api/image";
import { errorOfResponse, unreachableError } from "../../../shared/api/protocol/requestError";
import { download } from "../../io/http/download";
import { url } from "../../io/http/url";
import type { AnnotatorDocument } from "../document/document";
import type { EditSink } from "../document/ports";
import type { Actions } from "./actions";

const TITLE = "Downloading Image";

interface Parts {
  document: AnnotatorDocument;
  actions: Pick<Actions, "save">;
  parts: { sink: EditSink };
}

/**
 * Saves, then downloads the image and, if permitted, its COCO file. Returns the number of changes that are missing in
 * the COCO file because the server does not have them yet. Throws a RequestError if the server cannot be reached or
 * refuses.
 */
export async function downloadImage({ document, actions, parts }: Parts): Promise<number> {
  const { image, permissions } = document.state;
  const { id, file_name: name } = image;
  const params = { id };
  const address = url(getImage, { params, query: { asAttachment: true } });
  await actions.save();
  // Asks first, because a failed download by link cannot be detected.
  const response = await fetch(address, { method: "HEAD", credentials: "same-origin" }).catch(() => {
    throw unreachableError(TITLE);
  });
  if (!response.ok) throw errorOfResponse(TITLE, response.status, "", response.headers.get("Retry-After"));
  download(address, name);
  if (!permissions.image.download) return 0;
  download(url(getImageCoco, { params }), `${name.replace(/\.[^.]*$/, "")}.json`);
  const { pending, conflicts } = parts.sink.state.getState();
  return pending + conflicts.length;
}
