import { badRequest } from "../../base/errors";
import { ImageError } from "../../files/paths/imageError";
import type { Transfers } from "../../files/transfers";
import { type FileFormat, FormatUnknown, kindOf } from "./formats/fileFormat";

/** Returns the format of an uploaded file after a quick check. Throws 400 if it cannot be imported. */
export async function requireImportable(transfers: Transfers, upload: string): Promise<FileFormat> {
  try {
    const { format, isZip } = await kindOf(transfers, upload);
    if (!isZip) await requireObject(transfers, upload);
    return format;
  } catch (error) {
    if (error instanceof FormatUnknown) throw refused(error.message);
    if (error instanceof ImageError) throw refused(`The zip cannot be read: ${error.message}.`);
    throw error;
  }
}

/** First bytes of other kinds of files, with advice for the user. */
const KNOWN_STARTS = [
  { bytes: [0xff, 0xfe], advice: "The file is written in UTF-16. Please save it as UTF-8." },
  { bytes: [0xfe, 0xff], advice: "The file is written in UTF-16. Please save it as UTF-8." },
  { bytes: [0x1f, 0x8b], advice: "The file is compressed with gzip. Please unpack it or send a zip." },
];

/** Throws 400 unless the first character of the file, apart from white space, begins a JSON object. */
async function requireObject(transfers: Transfers, upload: string): Promise<void> {
  let start = "";
  for await (const chunk of transfers.readUpload(upload)) {
    const known = KNOWN_STARTS.find(({ bytes }) => bytes.every((byte, i) => chunk[i] === byte));
    if (known) throw refused(known.advice);
    start = String(chunk)
      .replace(/^\ufeff/, "")
      .trimStart();
    if (start !== "") break;
  }
  if (start === "") throw refused("The file is empty.");
  if (start.startsWith("["))
    throw refused(
      "The file is a list, like COCO results. A COCO file is an object with images, categories and annotations.",
    );
  if (!start.startsWith("{"))
    throw refused("The file is neither a COCO file, which is a JSON object, nor a zip of YOLO or Pascal VOC files.");
}

const refused = (message: string) => badRequest(message, { coco: message });
