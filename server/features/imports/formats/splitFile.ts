import { codeOf } from "../../../base/errors";
import { ImageError, ZipGone } from "../../../files/paths/imageError";
import { FormatUnknown, kindOf } from "./fileFormat";
import type { SplitItem, SplitOptions } from "./splitItem";
import { splitJson } from "./splitJson";
import { splitVoc } from "./splitVoc";
import { splitYolo } from "./splitYolo";
import { isJson } from "./zipNames";

export type { SplitItem, SplitOptions } from "./splitItem";

/**
 * Splits an uploaded file of any format into COCO items, a few at a time and always in the same order. Throws an Error
 * whose message is shown to the user if the file is malformed.
 */
export async function* splitFile(options: SplitOptions): AsyncGenerator<SplitItem[]> {
  const { transfers, upload, signal } = options;
  try {
    const { format, isZip } = await kindOf(transfers, upload);
    signal.throwIfAborted();
    if (format === "YOLO") yield* splitYolo(options);
    else if (format === "Pascal VOC") yield* splitVoc(options);
    else yield* splitJson(options, isZip ? jsonInZip(options) : transfers.readUpload(upload));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof ZipGone)
      throw new Error("The uploaded file is no longer available. Please upload it again.");
    if (error instanceof ImageError) throw new Error(`The zip cannot be read: ${error.message}.`);
    if (error instanceof FormatUnknown) throw new Error(error.message);
    throw error;
  }
}

/** Reads the only JSON file of a zip. */
async function* jsonInZip({ transfers, upload }: SplitOptions): AsyncGenerator<Buffer> {
  for await (const file of transfers.zipTexts(upload)) {
    if (!isJson(file.path)) continue;
    yield* await file.stream();
    return;
  }
}
