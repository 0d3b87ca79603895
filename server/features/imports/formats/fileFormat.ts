import { z } from "zod";
import type { Transfers } from "../../../files/transfers";
import { isJson, isNames, isPlainText, isXml } from "./zipNames";

/** Formats of uploaded annotations, by the names shown to users. */
export const fileFormat = z.enum(["COCO", "YOLO", "Pascal VOC"]);
export type FileFormat = z.infer<typeof fileFormat>;

export interface UploadKind {
  format: FileFormat;
  isZip: boolean;
}

/**
 * Returns the format of an uploaded file, judged by its first bytes and, for a zip, by its file names. Throws
 * FormatUnknown or ImageError.
 */
export async function kindOf(transfers: Pick<Transfers, "isZip" | "zipTexts">, upload: string): Promise<UploadKind> {
  if (!(await transfers.isZip(upload))) return { format: "COCO", isZip: false };
  const has = { names: false, texts: false, xml: false, json: 0 };
  for await (const { path } of transfers.zipTexts(upload)) {
    has.names ||= isNames(path);
    has.texts ||= isPlainText(path);
    has.xml ||= isXml(path);
    if (isJson(path)) has.json++;
  }
  if (has.names && has.texts) return { format: "YOLO", isZip: true };
  if (has.xml) return { format: "Pascal VOC", isZip: true };
  if (has.json === 1) return { format: "COCO", isZip: true };
  throw new FormatUnknown(reasonOf(has));
}

/** Error for a zip without recognizable annotations. The message is shown to the user. */
export class FormatUnknown extends Error {
  override name = "FormatUnknown";
}

function reasonOf({ texts, json }: { texts: boolean; json: number }): string {
  if (json > 1) return "The zip has several JSON files. Send one COCO file at a time.";
  if (texts) return "The zip has text files, but no data.yaml, classes.txt or obj.names to name their classes.";
  return "The zip has no annotations: no YOLO text files, no Pascal VOC XML files and no COCO file.";
}
