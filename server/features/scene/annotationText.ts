import { boxRing } from "../../../shared/coco/measure";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Bbox } from "../../../shared/entities/shape";
import { oncePerLabel } from "../../../shared/rules/keypointTriples";

/** An annotation as the database sends it, its JSON columns as their text. */
export interface AnnotationTextRow {
  id: number;
  uuid: string;
  category_id: number;
  revision: number;
  /** Without blanks, as JSON.stringify writes (migrations/0018-shapesAsText.ts). */
  shape: string | null;
  area: number;
  /** The texts of jsonb columns have blanks. */
  bbox: string;
  iscrowd: boolean;
  isbbox: boolean;
  color: string;
  metadata: string;
  keypoints: string | null;
  creator_name: string;
}

/**
 * Returns the JSON of an annotation as our client holds it: the very text that JSON.stringify makes of `annotationOf`
 * (../annotations/annotationRow.ts), without its shape being read.
 */
export function annotationText(row: AnnotationTextRow, imageId: number): string {
  const { shape } = row;
  const bbox = numbersText(row.bbox);
  const isMask = shape !== null && isRleText(shape);
  const rings = isMask ? "null" : ringsText(shape, row.isbbox, bbox);
  return (
    `{"uuid":"${row.uuid}","id":${row.id},"image_id":${imageId},"category_id":${row.category_id}` +
    `,"revision":${row.revision},"rings":${rings},"rle":${isMask ? shape : "null"},"isbbox":${row.isbbox}` +
    `,"iscrowd":${row.iscrowd},"color":"${row.color}","metadata":${objectText(row.metadata)}` +
    `,"keypoints":${keypointsText(row.keypoints)},"area":${JSON.stringify(row.area)},"bbox":${bbox}` +
    `,"creator":${JSON.stringify(row.creator_name)}}`
  );
}

const RINGS = '{"rings":';
const isRleText = (shape: string): boolean => shape.startsWith('{"size":') || shape.startsWith('{"counts":');

/** As `shapeRings` (shared/coco/measure.ts) understands a stored shape. */
function ringsText(shape: string | null, isbbox: boolean, bbox: string): string {
  if (shape === null) return isbbox ? JSON.stringify([[boxRing(JSON.parse(bbox) as Bbox)]]) : "[]";
  if (shape.startsWith(RINGS)) return shape.slice(RINGS.length, -1);
  if (shape === "[]") return shape;
  // COCO's list of rings: each is a polygon of its own.
  return `[[${shape.slice(1, -1).replaceAll("],[", "]],[[")}]]`;
}

/** JavaScript writes numbers below a millionth with an exponent, the database does not. */
function numbersText(json: string): string {
  return json.includes("0.000000") ? JSON.stringify(JSON.parse(json)) : json.replaceAll(", ", ",");
}

const objectText = (json: string): string => (json === "{}" ? json : JSON.stringify(JSON.parse(json)));

function keypointsText(json: string | null): string {
  if (json === null || json === "[]") return json ?? "null";
  return JSON.stringify(oncePerLabel(JSON.parse(json) as Keypoint[]));
}
