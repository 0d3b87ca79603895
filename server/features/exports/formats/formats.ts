import type { FormatContext, FormatWriter, ImageFormat } from "./format";
import { instanceMasks, semanticMasks } from "./masks";
import { voc } from "./voc";
import { yoloBoxes, yoloOutlines, yoloPoses } from "./yolo";

/** Formats that write files for each image. A new format is a function and a line here. */
export const formats: Record<ImageFormat, (context: FormatContext) => FormatWriter> = {
  "yolo-detection": yoloBoxes,
  "yolo-segmentation": yoloOutlines,
  "yolo-pose": yoloPoses,
  voc,
  "semantic-masks": semanticMasks,
  "instance-masks": instanceMasks,
};
