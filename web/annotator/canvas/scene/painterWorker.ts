import { overlap, sizeOf } from "../shapes/shapes";
import { type PaintedShape, unpackShapes } from "./packedShapes";
import type { PainterBitmap, PainterMessage } from "./painter";
import { paintInSlices } from "./slices";

/** Paints the resting shapes off the main thread. It keeps a copy of them and returns bitmaps. */

/** Vertices between two looks for a newer wish. */
const SLICE = 8000;

const shapes = new Map<string, PaintedShape>();
/** Large ones first; null when it must be sorted anew. */
let sorted: PaintedShape[] | null = null;
let newest = 0;
let canvas: OffscreenCanvas | null = null;

addEventListener("message", ({ data }: MessageEvent<PainterMessage>) => {
  if (data.kind === "load") shapes.clear();
  if (data.kind === "load" || data.kind === "put")
    for (const shape of unpackShapes(data.shapes)) shapes.set(shape.uuid, shape);
  if (data.kind === "drop") shapes.delete(data.uuid);
  if (data.kind === "paint") paint(data).catch(() => postMessage({ number: data.number, bitmap: null }));
  else sorted = null;
});

async function paint(wish: Extract<PainterMessage, { kind: "paint" }>): Promise<void> {
  const { number, width, height, box, held, brush } = wish;
  newest = number;
  if (!canvas || canvas.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  // Painted by this thread: the graphics process would do it in one go, in everybody's way.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot paint in a worker.");
  context.clearRect(0, 0, width, height);
  sorted ??= [...shapes.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
  const seen = sorted.filter((shape) => shape.uuid !== held && overlap(shape, box));
  const done = await paintInSlices(context, { shapes: seen, brush }, { slice: SLICE, pause: () => stale(number) });
  if (!done) return;
  const bitmap = canvas.transferToImageBitmap();
  const answer: PainterBitmap = { number, bitmap };
  postMessage(answer, { transfer: [bitmap] });
}

/** Gives a sign of life, and looks after the messages that have come meanwhile. */
function stale(number: number): Promise<boolean> {
  const sign: PainterBitmap = { number };
  postMessage(sign);
  return new Promise((resolve) => {
    turn.port1.onmessage = () => resolve(newest !== number);
    turn.port2.postMessage(null);
  });
}

const turn = new MessageChannel();
