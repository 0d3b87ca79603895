import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { DextrRequest } from "../../model/dextr/base/request";
import type { Look } from "../../model/dextr/looks/look";
import type { Bbox, Ring, Rings, Shape } from "../../shared/entities/shape";
import type { NativeGate } from "./nativeGate";

/** Messages between the server and the DEXTR thread. The thread does one job at a time. */

/** Numbers that describe an image; null if the network has no layer for it. */
export type Embedding = Float32Array<ArrayBuffer> | null;

/** Input of the thread when it starts. */
export interface Opening {
  file: string;
  /** SHA-256 that the content must have. */
  sha256: string;
  /** Width and height of the model's input in pixels; null for the default of `predict`. */
  size: number | null;
  /** True to test the model before it counts as opened. */
  trial: boolean;
  /** True to open the model for looks: with an inner layer as a further output. */
  isTapped: boolean;
  gate: NativeGate;
}

export interface Job {
  /** Identifies the image and the state of its file. Part of the key under which predictions are cached. */
  imageKey: string;
  width: number;
  height: number;
  request: DextrRequest;
}

/** An annotation to look at, in an image of this size in pixels. */
export interface LookJob {
  width: number;
  height: number;
  shape: Shape;
  bbox: Bbox;
  isbbox: boolean;
}

/** A whole image to describe: side × side pixels of red, green and blue. */
export interface EmbedJob {
  pixels: Uint8Array<ArrayBuffer>;
  side: number;
}

export interface Outlines {
  /** Polygons with holes. */
  rings: Rings;
  /** Polygons without holes that rasterise to the same mask. */
  pieces: Ring[];
}

export type ToThread =
  | { job: Job }
  | { lookJob: LookJob }
  | { embedJob: EmbedJob }
  | { part: Part }
  | { unreadable: true };

/**
 * `absent`: the package is not installed; `refused`: the file is not the expected model. Both texts are sentences.
 */
export type FromThread =
  | { opened: true }
  | { absent: string }
  | { refused: string }
  | { read: Box }
  | { outlines: Outlines }
  | { look: Look }
  | { embedding: Embedding }
  | { failed: string };
