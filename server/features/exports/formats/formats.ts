import type { FormatContext, FormatWriter, ImageFormat } from "./format";
import { instanceMasks, semanticMasks } from "./masks";
import { voc } from "./voc";
import { yoloBoxes, yoloOutlines, yoloPoses } from "./yolo";

/** The formats that have files for each image. Another one is a function and a line here. */
export const formats: Record<ImageFormat, (context: FormatContext) => FormatWriter> = {
  "yolo-detection": yoloBoxes,
  "yolo-segmentation": yoloOutlines,
  "yolo-pose": yoloPoses,
  voc,
  "semantic-masks": semanticMasks,
  "instance-masks": instanceMasks,
};
