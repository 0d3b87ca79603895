import { z } from "zod";
import { EXPORT_FORMATS, exportFormat, segmentationForm } from "../../../shared/entities/export";

/**
 * Contents of an export, stored with its task, so that every attempt writes the same file. The defaults are for tasks
 * queued by an older version.
 */
export const exportFilter = z.object({
  /** Sorted category ids; empty means all. */
  categories: z.array(z.number()),
  with_empty_images: z.boolean(),
  only_accepted: z.boolean().default(false),
  segmentation: segmentationForm.nullable(),
  format: exportFormat.default("coco"),
  /** Folder with a trailing slash; "" means the whole dataset. */
  folder: z.string().default(""),
  with_images: z.boolean().default(false),
  /** Percentages of train, val and test, which sum to 100. */
  split: z.tuple([z.number(), z.number(), z.number()]).nullable().default(null),
  seed: z.string().default(""),
});
export type ExportFilter = z.infer<typeof exportFilter>;

export const exportPayload = exportFilter.extend({ dataset_id: z.number() });

/** Returns true if the export is a zip; otherwise it is one JSON file. */
export const isZipped = ({ format, split, with_images }: ExportFilter): boolean =>
  format !== "coco" || split !== null || with_images;

/** Returns the tags of an export, the format first, without its categories. */
export function exportTags({ format, folder, segmentation, split, seed, ...filter }: ExportFilter): string[] {
  const tags: (string | false | null)[] = [
    EXPORT_FORMATS[format],
    folder !== "" && `folder ${folder}`,
    format === "coco" && segmentation && (segmentation === "rle" ? "all as RLE" : "all as polygons"),
    split && `split ${split.map(round).join("/")}, seed ${seed}`,
    filter.with_empty_images && "with unannotated images",
    filter.only_accepted && "only accepted images",
    filter.with_images && "with images",
  ];
  return tags.filter((tag) => typeof tag === "string");
}

const round = (share: number): number => Math.round(share * 10) / 10;
