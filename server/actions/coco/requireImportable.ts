import { badRequest } from "../../errors";
import { PictureError } from "../../files/pictureError";
import type { Transfers } from "../../files/transfers";
import { type FileFormat, FormatUnknown, kindOf } from "./fileFormat";

/** The format of an uploaded file, looked at no further than is quick. Throws 400 where it can be none that we import. */
export async function requireImportable(transfers: Transfers, upload: string): Promise<FileFormat> {
  try {
    const { format, isZip } = await kindOf(transfers, upload);
    if (!isZip) await requireObject(transfers, upload);
    return format;
  } catch (error) {
    if (error instanceof FormatUnknown) throw refused(error.message);
    if (error instanceof PictureError) throw refused(`The zip cannot be read: ${error.message}.`);
    throw error;
  }
}

/** The first character that is no blank says whether the file can be a COCO file at all. */
async function requireObject(transfers: Transfers, upload: string): Promise<void> {
  let start = "";
  for await (const chunk of transfers.readUpload(upload)) {
    start = String(chunk)
      .replace(/^\ufeff/, "")
      .trimStart();
    if (start !== "") break;
  }
  if (start === "") throw refused("The file is empty.");
  if (!start.startsWith("{"))
    throw refused("This is not a COCO file: it is no JSON object. Nor is it a zip of YOLO or Pascal VOC files.");
}

const refused = (message: string) => badRequest(message, { coco: message });
