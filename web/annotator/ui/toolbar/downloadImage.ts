import { getImage, getImageCoco } from "../../../../shared/api/image";
import { errorOfResponse, unreachableError } from "../../../../shared/api/protocol/requestError";
import { downloadOutput } from "../../../io/http/download";
import { getReach } from "../../../io/http/reachability";
import { url } from "../../../io/http/url";
import type { Actions } from "../../actions/actions";
import type { AnnotatorDocument } from "../../document/document";
import type { EditSink } from "../../document/ports";

const TITLE = "Downloading Image";

interface Parts {
  document: AnnotatorDocument;
  actions: Pick<Actions, "save">;
  parts: { sink: EditSink };
}

/**
 * Saves, then downloads the image and, if permitted, its COCO file. Returns the number of changes that are missing in
 * the COCO file because the server does not have them yet: only conflicts while the server is away, since the file is
 * made in this browser then. Throws a RequestError if the server refuses, or is away and this browser lacks the image.
 */
export async function downloadImage({ document, actions, parts }: Parts): Promise<number> {
  const { image, permissions } = document.state;
  const { id, file_name: name } = image;
  const params = { id };
  const fileParts = { params, query: { asAttachment: true } };
  await actions.save();
  if (getReach() !== "away") await checkPermission(url(getImage, fileParts));
  await downloadOutput(getImage, fileParts, name);
  if (!permissions.image.download) return 0;
  const source = await downloadOutput(getImageCoco, { params }, `${name.replace(/\.[^.]*$/, "")}.json`);
  const { pending, conflicts } = parts.sink.state.getState();
  return (source === "local" ? 0 : pending) + conflicts.length;
}

/** Asks the server first, because a failed download by link cannot be detected. */
async function checkPermission(address: string): Promise<void> {
  const response = await fetch(address, { method: "HEAD", credentials: "same-origin" }).catch(() => {
    throw unreachableError(TITLE);
  });
  if (!response.ok) throw errorOfResponse(TITLE, response.status, "", response.headers.get("Retry-After"));
}
