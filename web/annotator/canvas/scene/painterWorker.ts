import { byOrder, markShapes, overlap } from "../shapes/shapes";
import { type PaintedShape, unpackShapes } from "./packedShapes";
import { dividedShapes, type PainterMessage, type PainterResponse } from "./painter";
import { paintInSlices } from "./slices";

/** Worker that keeps a copy of the shapes and paints all but the selected one into bitmaps, off the main thread. */

/** Number of vertices painted between two checks for a newer request. */
const SLICE = 8000;

const shapes = new Map<string, PaintedShape>();
/** Shapes in the order in which they are painted; null if they must be sorted again. */
let sorted: PaintedShape[] | null = null;
let newest = 0;
let canvas: OffscreenCanvas | null = null;

addEventListener("message", ({ data }: MessageEvent<PainterMessage>) => {
  if (data.kind === "load") shapes.clear();
  if (data.kind === "load" || data.kind === "put")
    for (const shape of unpackShapes(data.shapes)) shapes.set(shape.uuid, shape);
  if (data.kind === "drop") shapes.delete(data.uuid);
  if (data.kind === "mark") markShapes(shapes.values(), data.uuids);
  if (data.kind === "paint") paint(data).catch(() => postMessage({ number: data.number, bitmaps: null }));
  else if (data.kind !== "mark") sorted = null;
});

async function paint(request: Extract<PainterMessage, { kind: "paint" }>): Promise<void> {
  const { number, width, height, box, selected, isLifted } = request;
  newest = number;
  if (!canvas || canvas.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  // Forces software rendering in this thread: the graphics process would paint everything at once and block other work.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot paint in a worker.");
  sorted ??= [...shapes.values()].sort(byOrder);
  const seen = sorted.filter((shape) => shape.uuid !== selected && overlap(shape, box));
  const divided = dividedShapes(seen, isLifted);
  const scene = await bitmapOf(context, divided.scene, request);
  const lifted = scene && divided.lifted && (await bitmapOf(context, divided.lifted, request));
  if (!scene || (isLifted && !lifted)) return;
  const response: PainterResponse = { number, bitmaps: { scene, lifted } };
  postMessage(response, { transfer: lifted ? [scene, lifted] : [scene] });
}

/** Paints shapes into a bitmap. Resolves with null if a newer request has arrived. */
async function bitmapOf(
  context: OffscreenCanvasRenderingContext2D,
  painted: readonly PaintedShape[],
  { number, width, height, brush }: Extract<PainterMessage, { kind: "paint" }>,
): Promise<ImageBitmap | null> {
  context.clearRect(0, 0, width, height);
  const pause = () => isOutdated(number);
  if (!(await paintInSlices(context, { shapes: painted, brush }, { slice: SLICE, pause }))) return null;
  return context.canvas.transferToImageBitmap();
}

/** Reports that the worker is alive and lets queued messages in. Resolves with true if a newer request has arrived. */
function isOutdated(number: number): Promise<boolean> {
  const alive: PainterResponse = { number };
  postMessage(alive);
  return new Promise((resolve) => {
    messageTurn.port1.onmessage = () => resolve(newest !== number);
    messageTurn.port2.postMessage(null);
  });
}

const messageTurn = new MessageChannel();
