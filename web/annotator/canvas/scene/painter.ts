import type { Brush } from "../shapes/paint";
import type { Box, Shape, ShapesMirror } from "../shapes/shapes";
import { buffersOf, type PackedShapes, packShapes } from "./packedShapes";

/** A request for a bitmap of all shapes except the selected one. */
export interface PaintRequest {
  /** Size of the bitmap to be painted, in device pixels. */
  width: number;
  height: number;
  /** The visible part of the image, in image pixels. */
  box: Box;
  brush: Brush;
  /** Uuid of the selected shape, which is left out because the active layer paints it. */
  selected: string | null;
}

export type PainterMessage =
  | { kind: "load" | "put"; shapes: PackedShapes }
  | { kind: "drop"; uuid: string }
  | ({ kind: "paint"; number: number } & PaintRequest);

export interface PainterBitmap {
  number: number;
  /** Null if the worker cannot paint; absent while it is still painting. */
  bitmap?: ImageBitmap | null;
}

/** Time without a message after which a worker counts as dead, in milliseconds; longer until its code is loaded. */
const SILENT_MS = 5_000;
const STARTING_MS = 30_000;

/** Paints all shapes except the selected one. */
export interface ScenePainter {
  /** True if the painter has failed and will never respond again. */
  readonly isBroken: boolean;
  /** Resolves with null if a newer request has replaced this one, or if painting is impossible. */
  paint(request: PaintRequest): Promise<CanvasImageSource | null>;
  remove(): void;
}

/** Paints shapes in a worker that keeps a copy of them. Only the newest of several requests gets a bitmap. */
export class Painter implements ScenePainter, ShapesMirror {
  isBroken = false;
  private readonly worker = new Worker(new URL("./painterWorker.ts", import.meta.url), {
    type: "module",
    name: "painter",
  });
  private requested = 0;
  private resolve: ((bitmap: ImageBitmap | null) => void) | null = null;
  private isStarted = false;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.worker.addEventListener("message", ({ data: { number, bitmap } }: MessageEvent<PainterBitmap>) => {
      this.isStarted = true;
      if (this.resolve) this.restartSilenceTimer();
      if (bitmap === null) this.breakDown();
      else if (bitmap && number === this.requested) this.settle(bitmap);
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

  paint(request: PaintRequest): Promise<ImageBitmap | null> {
    this.settle(null);
    this.requested++;
    this.post({ kind: "paint", number: this.requested, ...request });
    this.restartSilenceTimer();
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  remove(): void {
    this.settle(null);
    this.worker.terminate();
  }

  /** Detects a worker that has died without an error event: a live one sends a message after each slice. */
  private restartSilenceTimer(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => this.breakDown(), this.isStarted ? SILENT_MS : STARTING_MS);
  }

  private breakDown(): void {
    this.isBroken = true;
    this.settle(null);
  }

  private settle(bitmap: ImageBitmap | null): void {
    clearTimeout(this.silenceTimer);
    this.resolve?.(bitmap);
    this.resolve = null;
  }

  private send(kind: "load" | "put", shapes: readonly Shape[]): void {
    const packed = packShapes(shapes);
    this.post({ kind, shapes: packed }, buffersOf(packed));
  }

  private post(message: PainterMessage, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}
