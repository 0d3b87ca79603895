import type { FindingKind } from "../../../shared/quality/finding";
import type { CocoAnnotation, CocoDocument } from "../../support/photographs";
import { seededRandom } from "../../support/seededRandom";

export const FAULTS = ["duplicate", "shifted box", "swapped category", "sliver", "leaked image"] as const;
export type Fault = (typeof FAULTS)[number];

/** Kinds of findings that name each fault. */
export const KINDS_OF_FAULT: Record<Fault, readonly FindingKind[]> = {
  duplicate: ["duplicate"],
  "shifted box": ["boxMismatch", "outside", "unlikelyOutline"],
  "swapped category": ["unlikelyCategory", "contradiction", "unusualSize", "unusualShape"],
  sliver: ["sliver"],
  "leaked image": ["leak"],
};

/** Number of faults of each sort. */
export const OF_EACH = 8;

/** A planted fault: an annotation by its image and box, or an image by its file name. */
export interface Planted {
  fault: Fault;
  key: string;
}

/** Copies of photographs for another split. */
export type Copy = { file: string; as: string; how: "equal" | "recompressed" | "scaled" | "brighter" };

export const keyOf = (fileName: string, bbox: readonly number[]): string =>
  `${fileName} ${bbox.map((value) => value.toFixed(2)).join(" ")}`;

const HOW = ["equal", "recompressed", "scaled", "brighter"] as const;

/** Returns the document with 40 faults at random places, eight of each sort, and what was planted. */
export function plantFaults(
  document: CocoDocument,
  seed: number,
): { document: CocoDocument; planted: Planted[]; copies: Copy[] } {
  const random = seededRandom(seed * 7919 + 1);
  for (let i = 0; i < 10; i++) random();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const annotations = document.annotations.map((annotation) => ({ ...annotation }));
  const images = new Map(document.images.map((image) => [image.id, image]));
  const fileOf = ({ image_id }: CocoAnnotation) => images.get(image_id)!.file_name;
  const used = [...new Set(annotations.map(({ category_id }) => category_id))];
  const planted: Planted[] = [];
  const left = annotations.filter(({ iscrowd, segmentation }) => !iscrowd && Array.isArray(segmentation));
  const take = (): CocoAnnotation => left.splice(Math.floor(random() * left.length), 1)[0]!;
  let nextId = Math.max(...annotations.map(({ id }) => id)) + 1;
  const note = (fault: Fault, annotation: CocoAnnotation) =>
    planted.push({ fault, key: keyOf(fileOf(annotation), annotation.bbox) });

  for (let n = 0; n < OF_EACH; n++) {
    const copied = take();
    annotations.push({ ...copied, id: nextId++ });
    note("duplicate", copied);

    const shifted = take();
    const [x = 0, y = 0, width = 0, height = 0] = shifted.bbox;
    const by = (side: number) => (0.15 + 0.25 * random()) * side * (random() < 0.5 ? -1 : 1);
    shifted.bbox = [x + by(width), y + by(height), width, height];
    note("shifted box", shifted);

    const swapped = take();
    swapped.category_id = pick(used.filter((id) => id !== swapped.category_id));
    note("swapped category", swapped);

    const image = pick(document.images);
    const sliver = { ...sliverIn(image, random), id: nextId++, image_id: image.id, category_id: pick(used) };
    annotations.push(sliver);
    note("sliver", sliver);
  }

  const free = [...document.images];
  const copies = Array.from({ length: OF_EACH }, (_, n): Copy => {
    const [{ file_name }] = free.splice(Math.floor(random() * free.length), 1) as [(typeof free)[number]];
    planted.push({ fault: "leaked image", key: file_name });
    return { file: file_name, as: `copy ${n}.jpg`, how: HOW[n % HOW.length]! };
  });
  return { document: { ...document, annotations }, planted, copies };
}

function sliverIn({ width, height }: { width: number; height: number }, random: () => number) {
  const [length, thickness] = [40 + 60 * random(), 1 + random()];
  const [x, y] = [random() * (width - length - 2), random() * (height - length - 2)];
  const [right, bottom] = random() < 0.5 ? [x + length, y + thickness] : [x + thickness, y + length];
  const segmentation = [[x, y, right, y, right, bottom, x, bottom]];
  return { segmentation, bbox: [x, y, right - x, bottom - y], area: length * thickness, iscrowd: 0 };
}
