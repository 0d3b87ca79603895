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
 * Saves, then lets the browser download the image and, for those who may have it, its COCO file. Returns how many
 * changes are not in that file,
 * since the server does not have them. Throws a RequestError when the server cannot be asked or refuses.
 */
export async function downloadImage({ document, actions, parts }: Parts): Promise<number> {
  const { image, permissions } = document.state;
  const { id, file_name: name } = image;
  const params = { id };
  const address = url(getImage, { params, query: { asAttachment: true } });
  await actions.save();
  // A link tells nobody when it fails.
  const answer = await fetch(address, { method: "HEAD", credentials: "same-origin" }).catch(() => {
    throw unreachableError(TITLE);
  });
  if (!answer.ok) throw errorOfResponse(TITLE, answer.status, "", answer.headers.get("Retry-After"));
  download(address, name);
  if (!permissions.image.download) return 0;
  download(url(getImageCoco, { params }), `${name.replace(/\.[^.]*$/, "")}.json`);
  const { pending, conflicts } = parts.sink.state.getState();
  return pending + conflicts.length;
}
