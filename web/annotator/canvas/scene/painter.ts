import type { Brush } from "../shapes/paint";
import type { Box, Shape, ShapesMirror } from "../shapes/shapes";
import { buffersOf, type PackedShapes, packShapes } from "./packedShapes";

export interface Wish {
  /** Size of the bitmap to be painted, in device pixels. */
  width: number;
  height: number;
  /** The visible part of the image, in image pixels. */
  box: Box;
  brush: Brush;
  /** The shape in hand, which is painted elsewhere. */
  held: string | null;
}

export type PainterMessage =
  | { kind: "load" | "put"; shapes: PackedShapes }
  | { kind: "drop"; uuid: string }
  | ({ kind: "paint"; number: number } & Wish);

export interface PainterBitmap {
  number: number;
  /** Null: it cannot paint. Absent: it is still painting. */
  bitmap?: ImageBitmap | null;
}

/** A painter that says nothing for so long is taken for dead, in milliseconds; one whose code is loaded later. */
const SILENT_MS = 5_000;
const STARTING_MS = 30_000;

/** Paints all resting shapes. */
export interface ScenePainter {
  /** Nothing can be expected of it any more. */
  readonly isBroken: boolean;
  /** Resolves with null when a newer wish has taken this one's place, or when nothing can be painted. */
  paint(wish: Wish): Promise<CanvasImageSource | null>;
  remove(): void;
}

/** Has the resting shapes painted by a worker, which keeps a copy of them. Of several wishes only the newest is answered. */
export class Painter implements ScenePainter, ShapesMirror {
  isBroken = false;
  private readonly worker = new Worker(new URL("./painterWorker.ts", import.meta.url), {
    type: "module",
    name: "painter",
  });
  private wished = 0;
  private answer: ((bitmap: ImageBitmap | null) => void) | null = null;
  private isStarted = false;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.worker.addEventListener("message", ({ data: { number, bitmap } }: MessageEvent<PainterBitmap>) => {
      this.isStarted = true;
      if (this.answer) this.listen();
      if (bitmap === null) this.breakDown();
      else if (bitmap && number === this.wished) this.settle(bitmap);
      else bitmap?.close();
    });
    this.worker.addEventListener("error", () => this.breakDown());
  }

  load(shapes: readonly Shape[]): void {
    this.send("load", shapes);
  }

  set(uuid: string, shape: Shape | null): void {
    if (shape) this.send("put", [shape]);
    else this.post({ kind: "drop", uuid });
  }

  paint(wish: Wish): Promise<ImageBitmap | null> {
    this.settle(null);
    this.wished++;
    this.post({ kind: "paint", number: this.wished, ...wish });
    this.listen();
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  remove(): void {
    this.settle(null);
    this.worker.terminate();
  }

  /** Nobody tells of a worker that has vanished: it paints slice by slice and says so each time. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.breakDown(), this.isStarted ? SILENT_MS : STARTING_MS);
  }

  private breakDown(): void {
    this.isBroken = true;
    this.settle(null);
  }

  private settle(bitmap: ImageBitmap | null): void {
    clearTimeout(this.silence);
    this.answer?.(bitmap);
    this.answer = null;
  }

  private send(kind: "load" | "put", shapes: readonly Shape[]): void {
    const packed = packShapes(shapes);
    this.post({ kind, shapes: packed }, buffersOf(packed));
  }

  private post(message: PainterMessage, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}
