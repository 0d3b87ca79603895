import { XMLParser } from "fast-xml-parser";
import type { Bbox, Ring } from "../entities/shape";
import { ringBounds } from "../geometry/ring";
import { FormatError, numberOf } from "./formatError";
import { boxOfVoc } from "./voc";
import { type KnownSides, readOutline } from "./vocOutline";

/** Content of a Pascal VOC file, or of LabelMe's variant. Sides are undefined if the file does not have them. */
export interface VocFile extends KnownSides {
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
  // Custom entities, and so entity bombs, need a document type.
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(xml)) throw new FormatError("has a document type, which is not supported");
  const annotation = child(parse(xml), "annotation");
  if (!isNode(annotation)) throw new FormatError("is not a Pascal VOC annotation");
  const [size, labelMe] = [child(annotation, "size"), child(annotation, "imagesize")];
  const width = side(child(size, "width")) ?? side(child(labelMe, "ncols"));
  const height = side(child(size, "height")) ?? side(child(labelMe, "nrows"));
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

/** Returns a side in pixels, or undefined. Some tools write 0 for an unknown side. */
function side(value: unknown): number | undefined {
  const number = Number(textOf(value));
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

function readObject(object: unknown, sides: KnownSides): VocItem | FormatError {
  try {
    const name = textOf(child(object, "name"));
    if (textOf(child(object, "deleted")) === "1") throw new FormatError("is marked as deleted in the file");
    if (name === "") throw new FormatError("has no name");
    const flag = (key: string): string => textOf(child(object, key));
    return {
      name,
      ...readShape(object, sides),
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

/** Reads box and outline. With an outline, an unusable box is left out: it is measured instead. */
function readShape(object: unknown, sides: KnownSides): Pick<VocItem, "bbox" | "outline"> {
  const [box, polygons] = [child(object, "bndbox"), child(object, "polygon")];
  const outline = readOutline(Array.isArray(polygons) ? polygons : [], sides);
  if (outline.length === 0) {
    if (!isNode(box) && polygons !== undefined) throw new FormatError("has an outline of fewer than three points");
    return { bbox: readBox(box, sides) };
  }
  if (textOf(child(object, "type")) === "bounding_box") return { bbox: ringBounds(outline.flat()) };
  try {
    return { bbox: readBox(box, sides), outline };
  } catch (error) {
    if (error instanceof FormatError) return { outline };
    throw error;
  }
}

/**
 * Reads a box and clips up to one pixel beyond the border: some tools count from 0, some write fractions of a pixel.
 */
function readBox(box: unknown, { width = 1e7, height = 1e7 }: KnownSides): Bbox {
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
