import { z } from "zod";
import { id, text } from "./scalars";

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

/** A category of a version, with its number of annotations. Ids and names are those of the version's moment. */
export const versionCategory = z.object({ id, name: z.string(), annotations: z.number() });
export type VersionCategory = z.infer<typeof versionCategory>;

export const versionName = text(100).trim().min(1, "Please enter a name.");
export const versionNote = text(2000).trim();

/** A named moment of a dataset. Its COCO file never changes. */
export const version = z.object({
  id,
  name: z.string(),
  note: z.string(),
  creator: z.string(),
  created_at: z.string(),
  images: z.number(),
  annotations: z.number(),
  categories: z.array(versionCategory),
  /** Length of the COCO file in bytes, and its SHA-256 in hexadecimal. */
  bytes: z.number(),
  sha256: z.string(),
  /** Name for the downloaded file. */
  file_name: z.string(),
});
export type Version = z.infer<typeof version>;

const changes = { added: z.number(), removed: z.number(), changed: z.number() };

/** Differences between two versions of a dataset. An annotation whose category changed counts as changed. */
export const versionComparison = z.object({
  images: z.object(changes),
  annotations: z.object(changes),
  /** Only categories with differences, in order of name. */
  categories: z.array(z.object({ name: z.string(), ...changes })),
});
export type VersionComparison = z.infer<typeof versionComparison>;
