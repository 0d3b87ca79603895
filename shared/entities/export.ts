import { z } from "zod";

/** Export formats and their names in the UI. */
export const EXPORT_FORMATS = {
  coco: "COCO",
  "yolo-detection": "YOLO detection",
  "yolo-segmentation": "YOLO segmentation",
  "yolo-pose": "YOLO pose",
  voc: "Pascal VOC",
  "semantic-masks": "PNG masks by category",
  "instance-masks": "PNG masks by object",
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

export const exportFormat = z.enum(Object.keys(EXPORT_FORMATS) as [ExportFormat, ...ExportFormat[]]);

/**
 * For COCO only: writes all shapes as polygons, or all as RLE. By default, each is written in the form that fits it.
 */
export const segmentationForm = z.enum(["polygon", "rle"]);
export type SegmentationForm = z.infer<typeof segmentationForm>;

/** The sets that images are split into. */
export const SPLITS = ["train", "val", "test"] as const;
export type Split = (typeof SPLITS)[number];
