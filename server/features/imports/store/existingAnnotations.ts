import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import { toSegmentation } from "../../../../shared/coco/segmentation";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Schema } from "../../../db/schema";
import { extraKeypointsOf } from "../../annotations/rows/annotationDocument";
import { annotationPages, type CocoRow } from "../../annotations/rows/annotationPages";
import type { FileImage, ImportedAnnotation } from "../read/readAnnotation";

/**
 * Annotations that images had before an import, to avoid duplicates. Annotations are equal if they have the same image,
 * category, COCO segmentation, keypoints and, without a segmentation, the same box. Holds 16 characters for each
 * annotation of the loaded images.
 */
export class ExistingAnnotations {
  private readonly known = new Set<string>();
  private readonly loaded = new Set<number>();

  constructor(private readonly db: Kysely<Schema>) {}

  /** Loads the annotations of images. Images without annotations and images already loaded are skipped. */
  async load(images: Iterable<FileImage>): Promise<void> {
    const fresh = new Map<number, FileImage>();
    for (const image of images) if (image.count > 0 && !this.loaded.has(image.id)) fresh.set(image.id, image);
    for await (const rows of annotationPages(this.db, [...fresh.values()]))
      for (const row of rows) this.known.add(fingerprint(row, fresh.get(row.image_id)));
    for (const id of fresh.keys()) this.loaded.add(id);
  }

  has(annotation: ImportedAnnotation): boolean {
    return this.loaded.has(annotation.image_id) && this.known.has(fingerprint(annotation, undefined));
  }
}

type Compared = Pick<CocoRow, "image_id" | "category_id" | "shape" | "bbox" | "iscrowd" | "keypoints" | "extra">;

function fingerprint(row: Compared, size: { width: number; height: number } | undefined): string {
  const segmentation = toSegmentation(row.shape, row.iscrowd, size?.width ?? 0, size?.height ?? 0);
  const content = [
    row.image_id,
    row.category_id,
    Array.isArray(segmentation) || segmentation === null ? segmentation : [segmentation.size, segmentation.counts],
    segmentation === null ? row.bbox : null,
    (row.keypoints ?? []).toSorted(byLabel).map(({ label, x, y, v }) => [label, x, y, v]),
    extraKeypointsOf(row),
  ];
  return hash("md5", JSON.stringify(content), "base64url").slice(0, 16);
}

const byLabel = (a: Keypoint, b: Keypoint): number => a.label - b.label;
