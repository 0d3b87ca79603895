import { XMLParser } from "fast-xml-parser";
import type { Bbox, Ring } from "../entities/shape";
import { ringBounds } from "../geometry/ring";
import { FormatError, numberOf } from "./formatError";
import { boxOfVoc } from "./voc";
import { type KnownSize, readOutline } from "./vocOutline";

/**
 * Content of a Pascal VOC file, or of LabelMe's variant. `width` and `height` are undefined if the file does not have
 * them.
 */
export interface VocFile extends KnownSize {
  filename: string;
  objects: (VocItem | FormatError)[];
}

/**
 * An object in a file. Flags have the file's text; coordinates are in pixels, from 0. There is a box, an outline or
 * both.
 */
export interface VocItem {
  name: string;
  bbox?: Bbox;
  outline?: Ring[];
  pose: string;
  truncated: string;
  occluded: string;
  difficult: string;
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => name === "object" || name === "polygon" || name === "pt",
});

/** Reads a file. Objects that cannot be used are returned as errors. Throws FormatError if the file cannot be used. */
export function readVoc(xml: string): VocFile {
  // Entity bombs need custom entities, which need a DTD, so a file with a DTD is refused.
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(xml)) throw new FormatError("has a DTD, which is not supported");
  const annotation = child(parse(xml), "annotation");
  if (!isNode(annotation)) throw new FormatError("is not a Pascal VOC annotation");
  const [size, labelMe] = [child(annotation, "size"), child(annotation, "imagesize")];
  const width = positive(child(size, "width")) ?? positive(child(labelMe, "ncols"));
  const height = positive(child(size, "height")) ?? positive(child(labelMe, "nrows"));
  const objects = child(annotation, "object");
  return {
    filename: textOf(child(annotation, "filename")),
    width,
    height,
    objects: (Array.isArray(objects) ? objects : []).map((object) => readObject(object, { width, height })),
  };
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const child = (node: unknown, name: string): unknown => (isNode(node) ? node[name] : undefined);
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

function parse(xml: string): unknown {
  try {
    return parser.parse(xml, true);
  } catch {
    throw new FormatError("is not valid XML");
  }
}

/** Returns a width or height in pixels; undefined if it is absent or 0, which some tools write for an unknown size. */
function positive(value: unknown): number | undefined {
  const number = Number(textOf(value));
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

function readObject(object: unknown, size: KnownSize): VocItem | FormatError {
  try {
    const name = textOf(child(object, "name"));
    if (textOf(child(object, "deleted")) === "1") throw new FormatError("is marked as deleted in the file");
    if (name === "") throw new FormatError("has no name");
    const flag = (key: string): string => textOf(child(object, key));
    return {
      name,
      ...readShape(object, size),
      pose: flag("pose"),
      truncated: flag("truncated"),
      occluded: flag("occluded"),
      difficult: flag("difficult"),
    };
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

/**
 * Reads box and outline. If there is an outline, an unusable box is left out: the box is then measured from the
 * outline.
 */
function readShape(object: unknown, size: KnownSize): Pick<VocItem, "bbox" | "outline"> {
  const [box, polygons] = [child(object, "bndbox"), child(object, "polygon")];
  const outline = readOutline(Array.isArray(polygons) ? polygons : [], size);
  if (outline.length === 0) {
    if (!isNode(box) && polygons !== undefined) throw new FormatError("has an outline of fewer than three points");
    return { bbox: readBox(box, size) };
  }
  if (textOf(child(object, "type")) === "bounding_box") return { bbox: ringBounds(outline.flat()) };
  try {
    return { bbox: readBox(box, size), outline };
  } catch (error) {
    if (error instanceof FormatError) return { outline };
    throw error;
  }
}

/**
 * Reads a box and clips it if it is up to one pixel beyond the image's border: some tools count from 0, some write
 * fractions of a pixel.
 */
function readBox(box: unknown, { width = 1e7, height = 1e7 }: KnownSize): Bbox {
  if (!isNode(box)) throw new FormatError("has neither bndbox nor polygon");
  const corner = (key: string): number => numberOf(textOf(child(box, key)));
  const [xmin, ymin, xmax, ymax] = [corner("xmin"), corner("ymin"), corner("xmax"), corner("ymax")];
  if (xmin > xmax || ymin > ymax) throw new FormatError("has a box without width or height");
  if (xmin <= -1 || ymin <= -1 || xmax > width + 1 || ymax > height + 1)
    throw new FormatError("has coordinates outside the image");
  return boxOfVoc({
    xmin: Math.max(1, xmin),
    ymin: Math.max(1, ymin),
    xmax: Math.min(width, xmax),
    ymax: Math.min(height, ymax),
  });
}
