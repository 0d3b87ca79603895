import { XMLParser } from "fast-xml-parser";
import type { Bbox } from "../entities/shape";
import { FormatError, numberOf } from "./formatError";
import { boxOfVoc } from "./voc";

/** What a Pascal VOC file says of its picture. Sides are undefined where it does not say them. */
export interface VocFile {
  filename: string;
  width: number | undefined;
  height: number | undefined;
  objects: (VocItem | FormatError)[];
}

/** Flags are kept as they came; `bbox` is in pixels, from 0. */
export interface VocItem {
  name: string;
  bbox: Bbox;
  pose: string;
  truncated: string;
  difficult: string;
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => name === "object",
});

/** Reads a file; an object that cannot be used is its error. Throws FormatError on a file that cannot. */
export function readVoc(xml: string): VocFile {
  // Entities of one's own, and with them the bombs made of them, need one.
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(xml)) throw new FormatError("has a document type, which is not read");
  const annotation = child(parse(xml), "annotation");
  if (!isNode(annotation)) throw new FormatError("is no Pascal VOC annotation");
  const size = child(annotation, "size");
  const [width, height] = [side(child(size, "width")), side(child(size, "height"))];
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
    throw new FormatError("is no sound XML");
  }
}

/** Some tools write 0 where they do not know. */
function side(value: unknown): number | undefined {
  const number = Number(textOf(value));
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

interface Known {
  width: number | undefined;
  height: number | undefined;
}

function readObject(object: unknown, sides: Known): VocItem | FormatError {
  try {
    const name = textOf(child(object, "name"));
    if (name === "") throw new FormatError("has no name");
    const [pose, truncated, difficult] = ["pose", "truncated", "difficult"].map((key) => textOf(child(object, key)));
    return {
      name,
      bbox: readBox(child(object, "bndbox"), sides),
      pose: pose ?? "",
      truncated: truncated ?? "",
      difficult: difficult ?? "",
    };
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

/** A pixel beyond the border is cut off: some tools count from 0, some write shares of a pixel. */
function readBox(box: unknown, { width = 1e7, height = 1e7 }: Known): Bbox {
  if (!isNode(box)) throw new FormatError("has no bndbox");
  const corner = (key: string): number => numberOf(textOf(child(box, key)));
  const [xmin, ymin, xmax, ymax] = [corner("xmin"), corner("ymin"), corner("xmax"), corner("ymax")];
  if (xmin > xmax || ymin > ymax) throw new FormatError("has a box without width or height");
  if (xmin <= -1 || ymin <= -1 || xmax > width + 1 || ymax > height + 1)
    throw new FormatError("has coordinates outside the picture");
  return boxOfVoc({
    xmin: Math.max(1, xmin),
    ymin: Math.max(1, ymin),
    xmax: Math.min(width, xmax),
    ymax: Math.min(height, ymax),
  });
}
