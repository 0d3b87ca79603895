import { costOf, paintShape, type Transform } from "./paint";
import { type Box, type Shape, type Shapes, widened } from "./shapes";
import type { Size, View, ViewState } from "./view";

/** Painted around what is seen, in CSS pixels, so that a pan shows something at once. */
const MARGIN = 200;
/** How long a frame with a slice of painting may take, in milliseconds: while the view moves, and when it rests. */
const FRAME_MS = { moving: 20, resting: 40 };
/** The view rests when it has not moved for this long. */
const REST_MS = 90;
/** More vertices than this are not painted within the frame that asks for them. */
const AT_ONCE = 6000;
/** Vertices painted in one frame: what is right for this machine is found by how long the frames take. */
const SLICE = { first: 4000, least: 1000, most: 100_000 };

/** A canvas and the view that it was painted for. */
interface Sheet {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  view: ViewState | null;
}

interface Job {
  view: ViewState;
  shapes: Shape[];
  next: number;
}

/**
 * All resting shapes on one canvas. While the view moves, the last picture is moved and scaled by CSS; it is painted anew
 * on a second canvas, a slice in each frame, and the two change places when it is ready. What is little is painted at once.
 */
export class Scene {
  private front: Sheet;
  private back: Sheet;
  private size: Size = { width: 0, height: 0 };
  private ratio = 1;
  private job: Job | null = null;
  private stale = true;
  private movedAt = 0;
  private slice = SLICE.first;
  /** When the last frame with a slice began. */
  private slicedAt = 0;

  constructor(
    parent: HTMLElement,
    private readonly shapes: Shapes,
    private readonly view: View,
    private readonly requestFrame: () => void,
  ) {
    this.front = sheet(parent);
    this.back = sheet(parent);
    this.back.canvas.style.visibility = "hidden";
  }

  resize(size: Size, ratio: number): void {
    this.size = size;
    this.ratio = ratio;
    this.repaint();
  }

  /** Everything is out of date. */
  repaint(): void {
    this.job = null;
    this.stale = true;
    this.requestFrame();
  }

  /** A part is out of date: painted anew at once where that is little. */
  repaintBox(box: Box): void {
    const { view } = this.front;
    const shapes = this.shapes.within(widened(box, 4 / this.view.state.zoom));
    if (this.stale || this.job || !view || total(shapes) > AT_ONCE) this.repaint();
    else this.paintBox(this.front.context, view, box, shapes);
  }

  /** To be called in every frame in which something may have changed. */
  frame(now: number): void {
    if (this.size.width < 1 || this.size.height < 1) return;
    const view = this.view.state;
    const moved = !sameView(view, this.front.view);
    if (moved && !sameView(view, this.job?.view ?? null)) this.movedAt = now;
    if (!this.job && (this.stale || moved)) this.begin(view);
    if (this.job) this.work(now);
    this.place();
    if (this.job || !sameView(view, this.front.view)) this.requestFrame();
  }

  private begin(view: ViewState): void {
    this.job = { view, shapes: this.shapes.within(this.seen(view)), next: 0 };
    this.stale = false;
    const { canvas, context } = this.back;
    const width = Math.round((this.size.width + 2 * MARGIN) * this.ratio);
    const height = Math.round((this.size.height + 2 * MARGIN) * this.ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${this.size.width + 2 * MARGIN}px`;
      canvas.style.height = `${this.size.height + 2 * MARGIN}px`;
    } else context.clearRect(0, 0, width, height);
    context.lineJoin = "round";
    this.back.view = view;
  }

  /**
   * Paints a slice. Canvases only note what is drawn and paint it when the frame ends, so a clock here would not see the
   * work: the slice grows and shrinks by how long the frame before it took.
   */
  private work(now: number): void {
    const job = this.job!;
    const limit = this.sliceFor(now, job);
    const to = this.transform(job.view);
    for (let painted = 0; painted < limit && job.next < job.shapes.length; ) {
      const shape = job.shapes[job.next++]!;
      paintShape(this.back.context, shape, to, this.ratio);
      painted += costOf(shape);
    }
    this.slicedAt = now;
    if (job.next >= job.shapes.length) this.swap();
  }

  private sliceFor(now: number, job: Job): number {
    if (job.next === 0) return total(job.shapes) <= AT_ONCE ? Number.POSITIVE_INFINITY : this.slice;
    const wanted = now - this.movedAt < REST_MS ? FRAME_MS.moving : FRAME_MS.resting;
    const next = this.slice * (now - this.slicedAt > wanted ? 0.6 : 1.3);
    this.slice = Math.min(Math.max(next, SLICE.least), SLICE.most);
    return this.slice;
  }

  private swap(): void {
    this.job = null;
    [this.front, this.back] = [this.back, this.front];
    this.front.canvas.style.visibility = "visible";
    this.back.canvas.style.visibility = "hidden";
  }

  /** Lays the painted picture where it belongs in the present view. */
  private place(): void {
    const painted = this.front.view;
    if (!painted) return;
    const { zoom, x, y } = this.view.state;
    const scale = zoom / painted.zoom;
    const left = x - (painted.x + MARGIN) * scale;
    const top = y - (painted.y + MARGIN) * scale;
    this.front.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }

  private paintBox(context: CanvasRenderingContext2D, view: ViewState, box: Box, shapes: readonly Shape[]): void {
    const to = this.transform(view);
    const pad = 4 * this.ratio;
    const left = Math.floor(box.minX * to.scale + to.x - pad);
    const top = Math.floor(box.minY * to.scale + to.y - pad);
    const width = Math.ceil(box.maxX * to.scale + to.x + pad) - left;
    const height = Math.ceil(box.maxY * to.scale + to.y + pad) - top;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.clearRect(left, top, width, height);
    for (const shape of shapes) paintShape(context, shape, to, this.ratio);
    context.restore();
  }

  private transform({ zoom, x, y }: ViewState): Transform {
    return { scale: zoom * this.ratio, x: (x + MARGIN) * this.ratio, y: (y + MARGIN) * this.ratio };
  }

  /** What a sheet painted for a view shows, in image pixels. */
  private seen({ zoom, x, y }: ViewState): Box {
    return {
      minX: (-MARGIN - x) / zoom,
      minY: (-MARGIN - y) / zoom,
      maxX: (this.size.width + MARGIN - x) / zoom,
      maxY: (this.size.height + MARGIN - y) / zoom,
    };
  }
}

function sheet(parent: HTMLElement): Sheet {
  const canvas = document.createElement("canvas");
  canvas.className = "annotator-layer";
  canvas.style.transformOrigin = "0 0";
  parent.append(canvas);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot paint on a canvas.");
  return { canvas, context, view: null };
}

function sameView(a: ViewState, b: ViewState | null): boolean {
  return b !== null && a.zoom === b.zoom && a.x === b.x && a.y === b.y;
}

function total(shapes: readonly Shape[]): number {
  let cost = 0;
  for (const shape of shapes) {
    cost += costOf(shape);
    if (cost > AT_ONCE) return cost;
  }
  return cost;
}
