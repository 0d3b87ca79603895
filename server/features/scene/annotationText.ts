import { boxRing } from "../../../shared/coco/measure";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Bbox } from "../../../shared/entities/shape";
import { oncePerLabel } from "../../../shared/rules/keypointTriples";

/** An annotation row whose JSON columns are text. */
export interface AnnotationTextRow {
  id: number;
  uuid: string;
  category_id: number;
  revision: number;
  /** Without spaces, as JSON.stringify writes it (migrations/0018-shapesAsText.ts). */
  shape: string | null;
  area: number;
  /** With spaces, as PostgreSQL writes jsonb. The same goes for `metadata`, `attributes` and `keypoints`. */
  bbox: string;
  iscrowd: boolean;
  isbbox: boolean;
  color: string;
  metadata: string;
  attributes: string | null;
  keypoints: string | null;
  creator_name: string;
}

/**
 * Returns the JSON of an annotation for Limn's own client. The text equals JSON.stringify of `annotationOf`
 * (../annotations/rows/annotationRow.ts), but the shape is not parsed.
 */
export function annotationText(row: AnnotationTextRow, imageId: number): string {
  const { shape } = row;
  const bbox = numbersText(row.bbox);
  const isMask = shape !== null && isRleText(shape);
  const rings = isMask ? "null" : ringsText(shape, row.isbbox, bbox);
  return (
    `{"uuid":"${row.uuid}","id":${row.id},"image_id":${imageId},"category_id":${row.category_id}` +
    `,"revision":${row.revision},"rings":${rings},"rle":${isMask ? shape : "null"},"isbbox":${row.isbbox}` +
    `,"iscrowd":${row.iscrowd},"color":"${row.color}","metadata":${objectText(row.metadata)},"attributes":${objectText(row.attributes ?? "{}")}` +
    `,"keypoints":${keypointsText(row.keypoints)},"area":${JSON.stringify(row.area)},"bbox":${bbox}` +
    `,"creator":${JSON.stringify(row.creator_name)}}`
  );
}

const RINGS = '{"rings":';
const isRleText = (shape: string): boolean => shape.startsWith('{"size":') || shape.startsWith('{"counts":');

/** Returns the JSON of a stored shape's rings, equal to that of `shapeRings` (shared/coco/measure.ts). */
function ringsText(shape: string | null, isbbox: boolean, bbox: string): string {
  if (shape === null) return isbbox ? JSON.stringify([[boxRing(JSON.parse(bbox) as Bbox)]]) : "[]";
  if (shape.startsWith(RINGS)) return shape.slice(RINGS.length, -1);
  if (shape === "[]") return shape;
  // A COCO list of rings: each is a separate polygon.
  return `[[${shape.slice(1, -1).replaceAll("],[", "]],[[")}]]`;
}

/**
 * Returns a list of numbers as JavaScript writes it: without spaces, and numbers below a millionth with an exponent.
 */
function numbersText(json: string): string {
  return json.includes("0.000000") ? JSON.stringify(JSON.parse(json)) : json.replaceAll(", ", ",");
}

const objectText = (json: string): string => (json === "{}" ? json : JSON.stringify(JSON.parse(json)));

function keypointsText(json: string | null): string {
  if (json === null || json === "[]") return json ?? "null";
  return JSON.stringify(oncePerLabel(JSON.parse(json) as Keypoint[]));
}
