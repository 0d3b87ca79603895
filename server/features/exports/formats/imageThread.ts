import { threadsOf } from "../../../threads/threads";
import type { CocoTextRow } from "../../annotations/rows/annotationPages";
import type { FormatContext, ImageFormat, ImageInZip } from "./format";

/** Data that the thread needs to create a format's writer. */
export type ThreadData = Omit<FormatContext, "note"> & { format: ImageFormat };

/**
 * Request for the head (the files before those of the images), for the files of images, or for the tail (the files
 * after them). The head must be requested first.
 */
export type Question =
  | { part: "head"; data: ThreadData }
  | { part: "images"; pieces: readonly Piece[] }
  | { part: "tail" };

/** Some annotations of an image. */
export interface Piece {
  image: ImageInZip;
  rows: readonly DrawnText[];
  /** True if the image has no further pieces. */
  isLast: boolean;
}

/** Columns of an annotation for the thread, with its shape as JSON. */
export type DrawnText = Pick<
  CocoTextRow,
  "id" | "category_id" | "shape" | "bbox" | "iscrowd" | "isbbox" | "attributes" | "keypoints" | "extra"
>;

export interface Answer {
  /** Result of each piece, with files only for complete images. The head and the tail count as one piece. */
  done: Done[];
  /** Number of annotations that were written. */
  annotations: number;
  /** Annotations that were left out, in whole or in part, with the reason. */
  omissions: { text: string; id: number }[];
}

/** Files of one piece. */
export interface Done {
  files: WholeFile[];
  /** Path of the image file in the zip. */
  imagePath: string;
}

/** A file with its entire content. */
export interface WholeFile {
  path: string;
  content: string | Uint8Array;
  isPacked?: boolean | undefined;
}

const HEAP_MB = 1024;

/**
 * Takes a thread that writes the files of images. Painting masks and tracing outlines of one large image takes about a
 * second, which would block the server. The thread throws an Error whose message is shown to the user if the format
 * cannot express the dataset.
 */
export const takeImageThread = threadsOf<Question, Answer>(new URL("./imageWork", import.meta.url), HEAP_MB);
