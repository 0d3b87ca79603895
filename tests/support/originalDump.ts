import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Document, ObjectId, serialize } from "bson";
import { upright } from "./images";

/** Documents of COCO Annotator by collection, in the schema of its database. */
export type Documents = Record<string, Document[]>;

/** Writes documents as mongodump does, into `folder`/`database`. */
export function writeDump(folder: string, documents: Documents, { database = "flask", gzip = false } = {}): string {
  const inner = join(folder, database);
  mkdirSync(inner, { recursive: true });
  for (const [name, list] of Object.entries(documents)) {
    const bytes = Buffer.concat(list.map((document) => serialize(document, { ignoreUndefined: true })));
    writeFileSync(join(inner, `${name}.bson${gzip ? ".gz" : ""}`), gzip ? gzipSync(bytes) : bytes);
    const metadata = JSON.stringify({ options: {}, indexes: [] });
    writeFileSync(join(inner, `${name}.metadata.json${gzip ? ".gz" : ""}`), gzip ? gzipSync(metadata) : metadata);
  }
  return inner;
}

/** Writes an image of 40 x 20 pixels for each path below `folder`. Each has other bytes. */
export async function writeImages(folder: string, paths: readonly string[]): Promise<void> {
  const png = await upright().png().toBuffer();
  for (const [i, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Decoders ignore zeros behind the end.
    writeFileSync(join(folder, path), Buffer.concat([png, Buffer.alloc(i)]));
  }
}

let lastUser = 0;

/** Returns an account whose password is "secret". */
export const oldUser = (username: string, more: Document = {}): Document => ({
  _id: new ObjectId(`5e000000000000000000${(++lastUser).toString(16).padStart(4, "0")}`),
  username,
  password: `sha256$aB3$${createHmac("sha256", "aB3").update("secret").digest("hex")}`,
  is_admin: false,
  online: false,
  preferences: {},
  permissions: [],
  ...more,
});

export const oldCategory = (_id: unknown, name: string, more: Document = {}): Document => ({
  _id,
  name,
  supercategory: "",
  color: "#aabbcc",
  metadata: {},
  keypoint_edges: [],
  keypoint_labels: [],
  keypoint_colors: [],
  deleted: false,
  ...more,
});

export const oldDataset = (_id: unknown, name: string, more: Document = {}): Document => ({
  _id,
  name,
  directory: `/datasets/${name}/`,
  categories: [],
  users: [],
  annotate_url: "",
  default_annotation_metadata: {},
  deleted: false,
  ...more,
});

/** Returns an image of a dataset; `inner` is its path inside the dataset's folder. */
export const oldImage = (_id: unknown, dataset: Document, inner: string, more: Document = {}): Document => ({
  _id,
  dataset_id: dataset._id,
  category_ids: [],
  path: `${dataset.directory}${inner}`,
  width: 40,
  height: 20,
  file_name: inner.slice(inner.lastIndexOf("/") + 1),
  annotated: true,
  annotating: [],
  num_annotations: 1,
  metadata: {},
  deleted: false,
  milliseconds: 0,
  events: [],
  regenerate_thumbnail: false,
  ...more,
});

export const oldAnnotation = (
  _id: unknown,
  image_id: unknown,
  category_id: unknown,
  more: Document = {},
): Document => ({
  _id,
  image_id,
  category_id,
  segmentation: [],
  area: 0,
  bbox: [0, 0, 0, 0],
  iscrowd: false,
  isbbox: false,
  width: 40,
  height: 20,
  color: "#112233",
  keypoints: [],
  metadata: {},
  paper_object: [],
  deleted: false,
  milliseconds: 0,
  events: [],
  ...more,
});

type Point = [x: number, y: number];

/** Returns the corners of a square, clockwise on the screen, or counterclockwise. */
export function square(x: number, y: number, side: number, clockwise = true): Point[] {
  const corners: Point[] = [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ];
  return clockwise ? corners : corners.reverse();
}

/**
 * Returns the fields of an annotation that was drawn in an image of 40 x 20 pixels: outlines in image pixels, as a
 * paper.js object around the middle and as the segmentation, which has holes as polygons.
 */
export function drawn(outlines: readonly Point[][], more: Document = {}): Document {
  const children = outlines.map((points) => [
    "Path",
    { applyMatrix: true, segments: points.map(([x, y]) => [x - 20, y - 10]), closed: true },
  ]);
  return {
    paper_object: ["CompoundPath", { applyMatrix: true, children, fillColor: [1, 0, 0, 0.5], ...more }],
    segmentation: outlines.map((points) => points.flat()),
    area: 200,
    bbox: [1, 1, 10, 10],
  };
}
