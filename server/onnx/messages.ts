import type { Box, Part } from "../../model/dextr/base/imageSource";
import type { DextrRequest } from "../../model/dextr/base/request";
import type { Ring, Rings } from "../../shared/entities/shape";
import type { NativeGate } from "./nativeGate";

/** Messages between the server and the network's thread. The thread does one job at a time. */

/** Given to the thread when it starts. */
export interface Opening {
  file: string;
  /** The content must have this SHA-256. */
  sha256: string;
  /** Side of the square that the network is shown; null: the recipe's. */
  size: number | null;
  /** Tries the network before it counts as opened. */
  trial: boolean;
  gate: NativeGate;
}

export interface Job {
  /** The image with the state of its file: what was predicted is kept for the same points on the same image. */
  imageKey: string;
  width: number;
  height: number;
  request: DextrRequest;
}

export interface Outlines {
  /** Polygons with holes. */
  rings: Rings;
  /** Polygons without holes that rasterise to the same mask. */
  pieces: Ring[];
}

export type ToThread = { job: Job } | { part: Part } | { unreadable: true };

/** `absent`: the package is not there; `refused`: the file is not the network that it should be; the text is a sentence. */
export type FromThread =
  | { opened: true }
  | { absent: string }
  | { refused: string }
  | { read: Box }
  | { outlines: Outlines }
  | { failed: string };
