import type { FormatContext, FormatWriter, PictureFormat } from "./format";
import { instanceMasks, semanticMasks } from "./masks";
import { voc } from "./voc";
import { yolo } from "./yolo";

/** The formats that have files for each picture. Another one is a function and a line here. */
export const formats: Record<PictureFormat, (context: FormatContext) => FormatWriter> = {
  "yolo-detection": (context) => yolo(context, "boxes"),
  "yolo-segmentation": (context) => yolo(context, "outlines"),
  voc,
  "semantic-masks": semanticMasks,
  "instance-masks": instanceMasks,
};
