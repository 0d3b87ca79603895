import { z } from "zod";
import { DEXTR } from "../constants";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";

/** The limits are far beyond any image. A point outside the image counts as the nearest pixel inside. */
const coordinate = z.number().min(-1e7).max(1e7);
const point = z.tuple([coordinate, coordinate]);
const corrections = z
  .array(point)
  .max(DEXTR.maxCorrections, `At most ${DEXTR.maxCorrections} corrections of each kind`)
  .default([]);
const flatRings = z.array(z.array(z.number()));

/**
 * Computes the outline of an object from its four extreme points or from a box, with corrections. A point [x, y] is a
 * pixel of the upright image and may have decimals: [0, 0] is the centre of the top left pixel. Errors besides those of
 * every call: 404 if the image cannot be read, 409 if a newer call by the same user replaced this one, 429 if too many
 * calls are waiting, 503 if the model cannot run (the message has the reason) or took too long.
 */
export const segmentWithDextr = declare({
  method: "POST",
  path: "/model/dextr/{imageId}",
  title: "Running DEXTR",
  access: "user",
  summary: "Compute the outline of an object from its four extreme points, or from a box",
  params: z.object({ imageId: idInPath }),
  body: z.object({
    points: z.array(point).length(DEXTR.points, "Invalid points entered"),
    /** Further points on the object's border. */
    more: z.array(point).max(DEXTR.maxMore, `At most ${DEXTR.maxMore} further points`).default([]),
    /** True if the points are the middles of a box's sides instead of extreme points. */
    isbbox: z.boolean().default(false),
    /** Points inside the object that an outline missed. */
    added: corrections,
    /** Points outside the object that an outline took. */
    removed: corrections,
    /** Padding around the box of the points that the object may fill, in image pixels. */
    padding: z.number().min(0).max(DEXTR.maxPadding).default(DEXTR.padding),
    /** Required certainty of the model; 80 is a probability of one half. */
    threshold: z.number().min(0).max(DEXTR.maxThreshold).default(DEXTR.threshold),
  }),
  output: z.object({
    /** Polygons without holes, each a flat list [x1, y1, x2, y2, …] in image pixels; united they are the object. */
    segmentation: flatRings,
    /** The same polygons under the misspelt name that older clients read. */
    segmentaiton: flatRings,
    /** The same object with holes: polygons, each an outer ring and then its holes. */
    rings: z.array(flatRings),
  }),
});

/**
 * Sends the ONNX file that this server uses. The address has its SHA-256, so the content at an address never changes.
 */
export const getDextrModel = declare({
  method: "GET",
  path: "/model/dextr/{sha256}.onnx",
  title: "Loading DEXTR",
  access: "user",
  summary: "Download the DEXTR model as an ONNX file; /info has its address",
  params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});
