import { z } from "zod";
import { DEXTR } from "../constants";
import { declare } from "./protocol/call";
import { idInPath } from "./protocol/inputs";

/** Far beyond any image; what lies outside the image counts as its nearest pixel. */
const coordinate = z.number().min(-1e7).max(1e7);
const point = z.tuple([coordinate, coordinate]);
const flatRings = z.array(z.array(z.number()));

/**
 * From the four extreme points of an object to its outline. A point [x, y] is a pixel of the upright image, with
 * decimals if need be: [0, 0] is the pixel in the top left corner, in its middle. Beside the errors of every call: 404
 * where the image cannot be read, 409 when a newer call of the same user took its place, 429 when too many wait, 503
 * when the network cannot run (the message says why) or took too long.
 */
export const segmentWithDextr = declare({
  method: "POST",
  path: "/model/dextr/{imageId}",
  title: "Running DEXTR",
  access: "user",
  summary: "The outline of an object from its four extreme points",
  params: z.object({ imageId: idInPath }),
  body: z.object({
    points: z.array(point).length(DEXTR.points, "Invalid points entered"),
    /** Further points on the object's border. */
    more: z.array(point).max(DEXTR.maxMore, `At most ${DEXTR.maxMore} further points`).default([]),
    /** Padding around the box of the points that the object may fill, in image pixels. */
    padding: z.number().min(0).max(DEXTR.maxPadding).default(DEXTR.padding),
    /** Required certainty of the network; 80 is a probability of one half. */
    threshold: z.number().min(0).max(DEXTR.maxThreshold).default(DEXTR.threshold),
  }),
  output: z.object({
    /** Polygons without holes, each a flat list [x1, y1, x2, y2, …] in image pixels; united they are the object. */
    segmentation: flatRings,
    /** The same for clients that know the name as it was misspelt. */
    segmentaiton: flatRings,
    /** The same with holes: polygons, each an outer ring and then its holes. */
    rings: z.array(flatRings),
  }),
});

/** The ONNX file that this server uses, named by the SHA-256 of its content: never another one at the same address. */
export const getDextrModel = declare({
  method: "GET",
  path: "/model/dextr/{sha256}.onnx",
  title: "Loading DEXTR",
  access: "user",
  summary: "The network as an ONNX file; /info names it",
  params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});
