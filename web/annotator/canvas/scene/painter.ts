import type { Brush } from "../shapes/paint";
import type { Box, Shape, ShapesMirror } from "../shapes/shapes";
import { buffersOf, type PackedShapes, packShapes } from "./packedShapes";

/** A request for a bitmap of all shapes except the selected one. */
export interface PaintRequest {
  /** Size of the bitmap to be painted, in device pixels. */
  width: number;
  height: number;
  /** The part of the image to paint, in image pixels. */
  box: Box;
  brush: Brush;
  /** Uuid of the selected shape, which is left out because the active layer paints it. */
  selected: string | null;
  /** True if the marked shapes are painted into a bitmap of their own, which can be moved. */
  isLifted: boolean;
}

/** Bitmaps of the same view. `lifted`: the bitmap of the marked shapes; null if `scene` includes them. */
export interface Bitmaps<Bitmap extends CanvasImageSource = CanvasImageSource> {
  scene: Bitmap;
  lifted: Bitmap | null;
}

/** Returns the shapes to paint into each bitmap. */
export function dividedShapes<S extends { isMarked?: boolean }>(
  shapes: readonly S[],
  isLifted: boolean,
): { scene: readonly S[]; lifted: readonly S[] | null } {
  if (!isLifted) return { scene: shapes, lifted: null };
  return { scene: shapes.filter(({ isMarked }) => !isMarked), lifted: shapes.filter(({ isMarked }) => isMarked) };
}

export type PainterMessage =
  | { kind: "load" | "put"; shapes: PackedShapes }
  | { kind: "drop"; uuid: string }
  | { kind: "mark"; uuids: ReadonlySet<string> }
  | ({ kind: "paint"; number: number } & PaintRequest);

export interface PainterResponse {
  number: number;
  /** Null if the worker cannot paint; absent while it is still painting. */
  bitmaps?: Bitmaps<ImageBitmap> | null;
}

/** Time without a message after which a worker counts as dead, in milliseconds; longer until its code is loaded. */
const SILENT_MS = 5_000;
const STARTING_MS = 30_000;

/** Paints all shapes except the selected one. */
export interface ScenePainter {
  /** True if the painter has failed and will never respond again. */
  readonly isBroken: boolean;
  /** Resolves with null if a newer request has replaced this one, or if painting is impossible. */
  paint(request: PaintRequest): Promise<Bitmaps | null>;
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
  private resolve: ((bitmaps: Bitmaps<ImageBitmap> | null) => void) | null = null;
  private isStarted = false;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.worker.addEventListener("message", ({ data: { number, bitmaps } }: MessageEvent<PainterResponse>) => {
      this.isStarted = true;
      if (this.resolve) this.restartSilenceTimer();
      if (bitmaps === null) this.breakDown();
      else if (bitmaps && number === this.requested) this.settle(bitmaps);
      else if (bitmaps) closeBitmaps(bitmaps);
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

  mark(uuids: ReadonlySet<string>): void {
    this.post({ kind: "mark", uuids });
  }

  paint(request: PaintRequest): Promise<Bitmaps<ImageBitmap> | null> {
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

  private settle(bitmaps: Bitmaps<ImageBitmap> | null): void {
    clearTimeout(this.silenceTimer);
    this.resolve?.(bitmaps);
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

/** Frees the memory of bitmaps that are not needed any more. */
export function closeBitmaps({ scene, lifted }: Bitmaps): void {
  for (const bitmap of [scene, lifted]) if (bitmap instanceof ImageBitmap) bitmap.close();
}
