import { SHAPE_OPACITY } from "../../../../shared/constants";
import { type Brush, HAIRLINE, KEYPOINT_REACH_PX, LINE_PX, paintShape } from "../shapes/paint";
import { type Box, costOf, type Shape, type Shapes, widened } from "../shapes/shapes";
import type { Transform } from "../shapes/trace";
import { type Point, type Size, sameView, type View, type ViewState } from "../view/view";
import { LiftedShapes } from "./lifted";
import { Overview } from "./overview";
import { type Bitmaps, closeBitmaps, dividedShapes, Painter, type PaintRequest, type ScenePainter } from "./painter";
import { PaintHere } from "./paintHere";
import { addSheet, clearSheet, paintBox, type Sheet } from "./sheet";

/** Margin painted around the visible area, in CSS pixels, so that a pan shows shapes at once. */
const MARGIN = 200;
/** Time without movement after which the view counts as still, in milliseconds. */
const REST_MS = 40;
/** While the view moves, a new bitmap is requested at most this often, in milliseconds. */
const MOVING_MS = 120;
/** Number of vertices above which the worker paints, instead of the main thread within the frame. */
const AT_ONCE = 6000;

/** The bitmap that the painter is working on. Boxes that change in the meantime are repainted on it when it arrives. */
interface PendingPaint {
  /** View that the bitmap is for; null for the overview. */
  view: ViewState | null;
  changed: Box[];
}

/**
 * All shapes except the selected one, on one canvas. While the view moves, CSS moves and scales the last bitmap, with
 * an overview beneath it for the area that it does not cover, and a worker paints a new one. If there are few shapes,
 * the main thread paints them at once.
 */
export class Scene {
  private readonly overview: Overview;
  private front: Sheet;
  private back: Sheet;
  private readonly lifted: LiftedShapes;
  /** True while the marked shapes are moved, on a canvas of their own. */
  private isLifted = false;
  private painter: ScenePainter;
  private isReplaced = false;
  private size: Size = { width: 0, height: 0 };
  private ratio = 1;
  private opacity: number = SHAPE_OPACITY;
  private pendingPaint: PendingPaint | null = null;
  private stale = true;
  private seenView: ViewState | null = null;
  private movedAt = 0;
  private orderedAt = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly shapes: Shapes,
    private readonly view: View,
    private readonly requestFrame: () => void,
  ) {
    this.overview = new Overview(parent);
    this.front = addSheet(parent);
    this.back = addSheet(parent);
    this.back.canvas.style.visibility = "hidden";
    this.lifted = new LiftedShapes(parent);
    this.painter = startPainter(shapes);
  }

  resize(size: Size, ratio: number): void {
    this.size = size;
    this.ratio = ratio;
    this.pendingPaint = null;
    this.stale = true;
    this.requestFrame();
  }

  /** Sets the opacity of fills, 0 to 1. */
  showOpacity(opacity: number): void {
    if (opacity === this.opacity) return;
    this.opacity = opacity;
    this.repaint();
  }

  /** Repaints everything. */
  repaint(): void {
    this.pendingPaint = null;
    this.stale = true;
    this.overview.drop();
    this.requestFrame();
  }

  /** Shows the marked shapes moved by a distance in image pixels; null shows them in their places again. */
  lift(by: Point | null): void {
    if (by) this.lifted.move(by);
    if (this.isLifted === (by !== null)) this.requestFrame();
    else {
      this.isLifted = by !== null;
      this.repaint();
    }
  }

  /** Repaints a box in image pixels: at once if it holds few shapes, otherwise together with everything else. */
  repaintBox(box: Box): void {
    const { view } = this.front;
    const shapes = this.shapes.within(widened(box, (2 * KEYPOINT_REACH_PX) / this.view.state.zoom));
    if (this.stale || !view || this.isLifted || total(shapes) > AT_ONCE) {
      this.repaint();
      return;
    }
    paintBox(this.front, box, shapes);
    this.overview.paintBox(box, shapes);
    this.pendingPaint?.changed.push(box);
  }

  /** Paints what has changed. Must be called in every frame in which something may have changed. */
  frame(now: number): void {
    if (this.size.width < 1 || this.size.height < 1) return;
    const view = this.view.state;
    if (!sameView(view, this.seenView)) this.movedAt = now;
    this.seenView = view;
    if (this.stale || !sameView(view, this.front.view)) this.renew(view, now);
    this.place(view);
    const isSharp = !this.stale && sameView(view, this.front.view);
    this.parent.dataset.sharp = String(isSharp);
    if (isSharp) this.paintOverview();
    else this.requestFrame();
  }

  remove(): void {
    this.pendingPaint = null;
    this.shapes.mirrorTo(null);
    this.painter.remove();
  }

  /**
   * Paints the scene for a view. A bitmap that is being painted for another view is finished while the view moves, and
   * abandoned once the view is still.
   */
  private renew(view: ViewState, now: number): void {
    const { pendingPaint } = this;
    const isMoving = now - this.movedAt < REST_MS;
    if (pendingPaint?.view && (sameView(pendingPaint.view, view) || isMoving)) return;
    const box = this.seen(view);
    const sheet = this.sheetSize();
    if (this.shapes.costMoreThan(AT_ONCE, box)) {
      if (isMoving && !this.stale && now - this.orderedAt < MOVING_MS) return;
      this.orderedAt = now;
      const brush = this.brush(view, HAIRLINE);
      const request = { ...sheet, box, brush, isLifted: this.isLifted };
      this.order({ view, changed: [] }, request, ({ scene, lifted }, changed) => {
        this.prepare(view, brush);
        this.back.context.drawImage(scene, 0, 0);
        if (lifted) this.lifted.prepare(view, brush, sheet).drawImage(lifted, 0, 0);
        else this.lifted.drop();
        this.swap();
        for (const each of changed) this.repaintBox(each);
      });
      return;
    }
    this.pendingPaint = null;
    const brush = this.brush(view, LINE_PX * this.ratio);
    this.prepare(view, brush);
    const { scene, lifted } = dividedShapes(this.shapes.within(box), this.isLifted);
    for (const shape of scene) paintShape(this.back.context, shape, brush);
    if (lifted) {
      const context = this.lifted.prepare(view, brush, sheet);
      for (const shape of lifted) paintShape(context, shape, brush);
    } else this.lifted.drop();
    this.swap();
  }

  /** Requests bitmaps. `take` receives them, with the boxes that have changed since the request. */
  private order(
    pendingPaint: PendingPaint,
    request: Omit<PaintRequest, "selected">,
    take: (bitmaps: Bitmaps, changed: readonly Box[]) => void,
  ): void {
    this.pendingPaint = pendingPaint;
    if (this.painter.isBroken) this.replacePainter();
    void this.painter.paint({ ...request, selected: this.shapes.selectedUuid }).then((bitmaps) => {
      if (this.pendingPaint === pendingPaint) {
        this.pendingPaint = null;
        if (bitmaps) take(bitmaps, pendingPaint.changed);
        this.requestFrame();
      }
      if (bitmaps) closeBitmaps(bitmaps);
    });
  }

  /**
   * Replaces a broken worker with a second one, because the first may have run out of memory. If the second breaks,
   * paints on the main thread.
   */
  private replacePainter(): void {
    this.shapes.mirrorTo(null);
    this.painter.remove();
    this.painter = this.isReplaced ? new PaintHere(this.shapes) : startPainter(this.shapes);
    this.isReplaced = true;
  }

  private paintOverview(): void {
    const bounds = this.shapes.bounds();
    if (this.isLifted || this.pendingPaint || this.overview.isPainted || !bounds || !this.shapes.costMoreThan(AT_ONCE))
      return;
    const plan = this.overview.plan(bounds, this.opacity);
    const request = { ...plan, box: bounds, isLifted: false };
    this.order({ view: null, changed: [] }, request, ({ scene }, changed) => {
      this.overview.showBitmap(scene, plan);
      for (const box of changed) this.overview.paintBox(box, this.shapes.within(box));
    });
  }

  private prepare(view: ViewState, brush: Brush): void {
    const { width, height } = this.sheetSize();
    clearSheet(this.back, width, height, this.ratio);
    this.back.context.lineJoin = "round";
    this.back.view = view;
    this.back.brush = brush;
  }

  private swap(): void {
    this.stale = false;
    [this.front, this.back] = [this.back, this.front];
    this.front.canvas.style.visibility = "visible";
    this.back.canvas.style.visibility = "hidden";
  }

  /** Places the painted bitmap in the current view. */
  private place(view: ViewState): void {
    const painted = this.front.view;
    if (!painted) return;
    this.lifted.place(view, MARGIN);
    const scale = view.zoom / painted.zoom;
    const left = view.x - (painted.x + MARGIN) * scale;
    const top = view.y - (painted.y + MARGIN) * scale;
    this.front.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    const { width, height } = this.size;
    const reaches =
      left <= 0 &&
      top <= 0 &&
      left + (width + 2 * MARGIN) * scale >= width &&
      top + (height + 2 * MARGIN) * scale >= height;
    if (reaches) this.overview.hide();
    else this.overview.place(view, this.seen(painted));
  }

  private brush(view: ViewState, line: number): Brush {
    return { to: this.transform(view), ratio: this.ratio, opacity: this.opacity, line };
  }

  private sheetSize(): Size {
    return {
      width: Math.round((this.size.width + 2 * MARGIN) * this.ratio),
      height: Math.round((this.size.height + 2 * MARGIN) * this.ratio),
    };
  }

  private transform({ zoom, x, y }: ViewState): Transform {
    return { scale: zoom * this.ratio, x: (x + MARGIN) * this.ratio, y: (y + MARGIN) * this.ratio };
  }

  /** Returns the area that a sheet painted for a view shows, in image pixels. */
  private seen({ zoom, x, y }: ViewState): Box {
    return {
      minX: (-MARGIN - x) / zoom,
      minY: (-MARGIN - y) / zoom,
      maxX: (this.size.width + MARGIN - x) / zoom,
      maxY: (this.size.height + MARGIN - y) / zoom,
    };
  }
}

function startPainter(shapes: Shapes): ScenePainter {
  if (typeof OffscreenCanvas === "undefined") return new PaintHere(shapes);
  const painter = new Painter();
  shapes.mirrorTo(painter);
  return painter;
}

function total(shapes: readonly Shape[]): number {
  let cost = 0;
  for (const shape of shapes) {
    cost += costOf(shape);
    if (cost > AT_ONCE) return cost;
  }
  return cost;
}
