import { z } from "zod";
import type { Transfers } from "../../../files/transfers";
import { isJson, isNames, isPlainText, isXml } from "./zipNames";

/** Names of the formats of uploaded annotations, for users. */
export const fileFormat = z.enum(["COCO", "YOLO", "Pascal VOC"]);
export type FileFormat = z.infer<typeof fileFormat>;

export interface UploadKind {
  format: FileFormat;
  isZip: boolean;
}

/** Returns the format of an uploaded file, by its first bytes and, for a zip, the names in it. Throws FormatUnknown, ImageError. */
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

/** A zip in which no annotations are to be found; the message is for people. */
export class FormatUnknown extends Error {
  override name = "FormatUnknown";
}

function reasonOf({ texts, json }: { texts: boolean; json: number }): string {
  if (json > 1) return "The zip has several JSON files. Send one COCO file at a time.";
  if (texts)
    return "The zip has text files, but neither data.yaml nor classes.txt nor obj.names to name their classes.";
  return "The zip has no annotations: neither YOLO's text files, nor Pascal VOC's XML files, nor a COCO file.";
}
