import { XMLBuilder } from "fast-xml-parser";
import type { Size } from "../entities/image";
import type { Bbox } from "../entities/shape";
import { clipBox } from "./clipBox";

/**
 * Writes Pascal VOC's annotation files (host.robots.ox.ac.uk/pascal/VOC, development kit of 2012): one XML per image.
 */

export interface VocObject {
  name: string;
  pose: string;
  truncated: boolean;
  occluded: boolean;
  /** True if the benchmark should ignore the object. */
  difficult: boolean;
  box: VocBox;
}

/** First and last pixel of the box, counted from 1. */
export interface VocBox {
  xmin: number;
  ymin: number;
  xmax: number;
  ymax: number;
}

export interface VocImage extends Size {
  /** Directory part of the image's path, without the trailing slash. */
  folder: string;
  filename: string;
  database: string;
  objects: readonly VocObject[];
}

/** Returns a box rounded to whole pixels. Undefined if no part of it is in the image. */
export function vocBox(bbox: Bbox, size: Size): VocBox | undefined {
  const box = clipBox(bbox, size);
  if (!box) return undefined;
  const [x, y, width, height] = box;
  const [xmin, ymin] = [Math.min(size.width, Math.round(x) + 1), Math.min(size.height, Math.round(y) + 1)];
  return { xmin, ymin, xmax: Math.max(xmin, Math.round(x + width)), ymax: Math.max(ymin, Math.round(y + height)) };
}

/** Returns a box in pixels from 0, from the outer edge of the first pixel to the outer edge of the last one. */
export const boxOfVoc = ({ xmin, ymin, xmax, ymax }: VocBox): Bbox => [
  xmin - 1,
  ymin - 1,
  xmax - xmin + 1,
  ymax - ymin + 1,
];

const builder = new XMLBuilder({ format: true, indentBy: "\t", suppressEmptyNode: false });

export function vocXml({ folder, filename, database, width, height, objects }: VocImage): string {
  return builder.build({
    annotation: {
      folder: plain(folder),
      filename: plain(filename),
      source: { database: plain(database) },
      size: { width, height, depth: 3 },
      segmented: 0,
      ...(objects.length > 0 && { object: objects.map(objectOf) }),
    },
  });
}

const objectOf = ({ name, pose, truncated, occluded, difficult, box }: VocObject) => ({
  name: plain(name),
  pose: plain(pose),
  truncated: truncated ? 1 : 0,
  occluded: occluded ? 1 : 0,
  difficult: difficult ? 1 : 0,
  bndbox: box,
});

/** Replaces the control characters that XML 1.0 does not allow. */
const plain = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
