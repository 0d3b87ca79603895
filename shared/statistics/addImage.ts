import type { Bbox } from "../entities/shape";
import { HEAT_SIDE, SIZE_EDGES } from "../entities/statistics";
import type { Sums } from "./sums";

/** Limit on summed areas, far beyond any image: rows of old imports may hold any number from their file. */
export const MAX_AREA = 1e15;

export interface SummedImage {
  width: number;
  height: number;
  /** True if the image has an annotation, even one of a deleted category. */
  annotated: boolean;
  milliseconds: number;
}

export interface SummedAnnotation {
  category_id: number;
  area: number;
  bbox: Bbox;
  creator: string;
}

/**
 * Adds an image and its shown annotations, without those of deleted categories, to sums whose `makers` are keyed by
 * name. Time spent on annotations is not known here and not added.
 */
export function addImage(sums: Sums, image: SummedImage, annotations: readonly SummedAnnotation[]): void {
  sums.images++;
  if (image.annotated) sums.annotatedImages++;
  sums.width += image.width;
  sums.height += image.height;
  sums.milliseconds += image.milliseconds;
  const [categories, makers] = [new Set<number>(), new Set<string>()];
  for (const annotation of annotations) {
    addAnnotation(sums, image, annotation);
    categories.add(annotation.category_id);
    makers.add(annotation.creator);
  }
  for (const id of categories) categorySums(sums, id).images++;
  for (const name of makers) makerSums(sums, name).images++;
}

function addAnnotation(sums: Sums, image: SummedImage, { category_id, area, bbox, creator }: SummedAnnotation): void {
  const limited = Math.min(Math.max(area, -MAX_AREA), MAX_AREA);
  const ofCategory = categorySums(sums, category_id);
  ofCategory.annotations++;
  ofCategory.area += limited;
  makerSums(sums, creator).annotations++;
  if (limited > 0) {
    ofCategory.sized++;
    increment(sums.sizes, SIZE_EDGES.filter((edge) => edge <= limited).length);
  }
  if (bbox.some((value) => value !== 0)) increment(sums.positions, cellOf(bbox, image));
}

/** Returns the index of the heat map's cell with the centre of a box, clamped to the border. */
function cellOf([x, y, width, height]: Bbox, image: SummedImage): number {
  const line = (center: number, side: number) =>
    Math.min(HEAT_SIDE - 1, Math.max(0, Math.floor((center / side) * HEAT_SIDE)));
  return line(y + height / 2, image.height) * HEAT_SIDE + line(x + width / 2, image.width);
}

function increment(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

function categorySums({ categories }: Sums, id: number) {
  const present = categories.get(id) ?? { annotations: 0, images: 0, milliseconds: 0, sized: 0, area: 0 };
  categories.set(id, present);
  return present;
}

function makerSums({ makers }: Sums, name: string) {
  const present = makers.get(name) ?? { annotations: 0, images: 0 };
  makers.set(name, present);
  return present;
}
