import { threadsOf } from "../../../threads/threads";
import type { CocoTextRow } from "../../annotations/rows/annotationPages";
import type { FormatContext, ImageFormat, ImageInZip } from "./format";

export type ThreadData = Omit<FormatContext, "note"> & { format: ImageFormat };

/** Files that say what is in the others, before and after them; or those of images. The head comes first. */
export type Question =
  | { part: "head"; data: ThreadData }
  | { part: "images"; pieces: readonly Piece[] }
  | { part: "tail" };

/** Some annotations of an image; those of the last piece are its last. */
export interface Piece {
  image: ImageInZip;
  rows: readonly DrawnText[];
  isLast: boolean;
}

/** Columns of a row for the thread, the shape as JSON. */
export type DrawnText = Pick<
  CocoTextRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "keypoints" | "extra"
>;

export interface Answer {
  /** Of each piece, those of images that are complete; of the head and the tail, as if of one piece. */
  done: Done[];
  /** Annotations that came into files. */
  annotations: number;
  /** A part that was left out, and of which annotation. */
  told: { text: string; id: number }[];
}

export interface Done {
  files: WholeFile[];
  /** Path of the image file in the zip. */
  imagePath: string;
}

export interface WholeFile {
  path: string;
  content: string | Uint8Array;
  isPacked?: boolean | undefined;
}

const HEAP_MB = 1024;

/**
 * A thread that makes images' files: painting masks and following outlines of one large image takes a second, in
 * which the server would answer nobody. It throws an Error for people where the format cannot say this dataset.
 */
export const takeImageThread = threadsOf<Question, Answer>(new URL("./imageWork", import.meta.url), HEAP_MB);
