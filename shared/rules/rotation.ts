import type { Metadata } from "../entities/scalars";
import type { Bbox, Ring, Rings } from "../entities/shape";
import { rotatedBoxOf, rotatedRing, rotationOf } from "../geometry/forms/rotatedBox";

/**
 * Rotations of boxes in COCO files: `rotation` under `attributes`, in degrees clockwise about the middle, as CVAT
 * writes it.
 */
const ROTATION = "rotation";

/**
 * Returns attributes with the rotation of a drawn shape: that of a rotated box, and 0 for another shape that has a
 * rotation from a file.
 */
export function withRotation(attributes: Metadata | null, rings: Rings): Metadata | null {
  const box = rotatedBoxOf(rings);
  if (box) return { ...attributes, [ROTATION]: Math.round(rotationOf(box) * 100) / 100 };
  return typeof attributes?.[ROTATION] === "number" ? { ...attributes, [ROTATION]: 0 } : attributes;
}

/** Returns the corners of a file's box that is rotated by its attributes; null if it is not rotated. */
export function rotatedBy(attributes: unknown, box: Bbox): Ring | null {
  const degrees = (attributes as Metadata | null | undefined)?.[ROTATION];
  if (typeof degrees !== "number" || !Number.isFinite(degrees) || degrees % 360 === 0) return null;
  return rotatedRing({ box, degrees });
}
