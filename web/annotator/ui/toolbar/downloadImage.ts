import { t } from "@lingui/core/macro";
import { getImage, getImageCoco } from "../../../../shared/api/image";
import { errorOfResponse, NoResponseError, unreachableError } from "../../../../shared/api/protocol/requestError";
import { limitedSignal } from "../../../../shared/async/signals";
import { downloadOutput } from "../../../io/http/download";
import { getReach } from "../../../io/http/reachability";
import { url } from "../../../io/http/url";
import type { Saving } from "../../actions/saving";
import type { AnnotatorDocument } from "../../document/document";
import type { EditSink } from "../../document/ports";

const MINUTE_MS = 60_000;

const title = () => t`Downloading Image`;

interface Parts {
  document: AnnotatorDocument;
  saving: Pick<Saving, "save">;
  parts: { sink: EditSink };
}

/**
 * Saves, then downloads the image and, if permitted, its COCO file. Returns the number of changes that are missing in
 * the COCO file because the server does not have them yet. Offline, only conflicts are missing, because the file is
 * then made in this browser. Throws a RequestError if the server refuses, or if it cannot be reached and this browser
 * has no copy of the image.
 */
export async function downloadImage({ document, saving, parts }: Parts): Promise<number> {
  const { image, permissions } = document.state;
  const { id, file_name: name } = image;
  const params = { id };
  const fileParts = { params, query: { asAttachment: true } };
  await saving.save();
  if (getReach() !== "away") await checkPermission(url(getImage, fileParts));
  await downloadOutput(getImage, fileParts, name);
  if (!permissions.image.download) return 0;
  const source = await downloadOutput(getImageCoco, { params }, `${name.replace(/\.[^.]*$/, "")}.json`);
  const { pending, conflicts } = parts.sink.state.getState();
  return (source === "local" ? 0 : pending) + conflicts.length;
}

/**
 * Throws if the server refuses the download, or does not respond for a minute. Must be called first, because the
 * failure of a download by link cannot be detected.
 */
async function checkPermission(address: string): Promise<void> {
  const limit = limitedSignal(undefined, MINUTE_MS);
  const response = await fetch(address, { method: "HEAD", credentials: "same-origin", signal: limit.signal })
    .catch(() => {
      throw limit.signal.aborted ? new NoResponseError(title(), 1, false) : unreachableError(title());
    })
    .finally(limit.stop);
  if (!response.ok) throw errorOfResponse(title(), response.status, "", response.headers.get("Retry-After"));
}
