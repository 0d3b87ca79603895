import paper from "paper/dist/paper-core";
import { SHAPE_OPACITY } from "../../../../shared/constants";
import type { Ring, Rings } from "../../../../shared/entities/shape";
import { isLine } from "../../../../shared/geometry/lines/line";
import { fillingOf } from "../shapes/filling";
import { DASH_PX, highlightLines, type KeypointMarks, paintKeypoints, type Skeleton } from "../shapes/paint";
import type { Shape } from "../shapes/shapes";
import type { Point, Size, ViewState } from "../view/view";
import { type Guides, paintGuides } from "./guides";
import { paintTurnHandle } from "./turnHandle";

/** The selected annotation's shape. Coordinates in image pixels. */
export interface ActiveShape {
  rings: Rings;
  color: string;
  /** True if its vertices are shown as handles. */
  vertices: boolean;
  /** The corners of a box that is shown with a rotation handle; absent or null for other shapes. */
  turns?: Ring | null;
  /** True if the annotation is locked. */
  isLocked?: boolean;
}

/** An unfinished shape of a tool, as an open line or a closed outline. In image pixels. */
export interface Draft {
  ring: Ring;
  closed: boolean;
  stroke: string;
  /** Position of the pointer; a dashed line leads there from the last point. */
  guide?: Point | null;
  /** A line that the next click would add, shown dashed. */
  band?: Ring | null;
  /** Points shown as dots, except the first and the last: the ends of `ring` are shown anyway. */
  marks?: Ring;
  /** True if the first point is drawn as a target because a click there closes the outline. */
  target?: boolean;
}

/**
 * Returns the opacity of the selected shape's fill. A shape whose vertices are shown has none, so that the image along
 * its border is seen as it is. Tools that paint need the fill, to show where they have painted.
 */
export const fillOf = ({ vertices }: Pick<ActiveShape, "vertices">, opacity: number): number =>
  vertices ? 0 : opacity;

export interface Spot extends Point {
  kind: "vertex" | "outline" | "delete";
}

/** Sizes on the screen, in CSS pixels. */
const SIZE = { draft: 2.5, spot: 7, handle: 7, target: 6 } as const;
const HANDLE_EDGE = "#0b1020";
/**
 * Handles are hidden when the mean distance between vertices is below this many CSS pixels, because they would hide the
 * outline.
 */
const MIN_SPACING = 7;

/**
 * The only paper.js project: the selected shape with its vertices, the hovered outline, and unfinished shapes of tools.
 */
export class ActiveLayer {
  private readonly scope = new paper.PaperScope();
  private selected: ActiveShape | null = null;
  /** Copies of the selected shape, one for each line of its outline, the widest first. The last copy is filled. */
  private selectedItems: paper.CompoundPath[] = [];
  private hoverItems: paper.Item[] = [];
  private draftItems: paper.Item[] = [];
  private spotItem: paper.Item | null = null;
  private zoom = 1;
  private opacity: number = SHAPE_OPACITY;
  private draft: Draft | null = null;
  private spot: Spot | null = null;
  private isSelectedVisible = true;
  private skeleton: Skeleton | null = null;
  private marks: KeypointMarks | undefined;
  private hovered: Skeleton | null = null;
  private guides: Guides | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.scope.setup(canvas);
    this.scope.view.autoUpdate = false;
    this.scope.settings.applyMatrix = true;
  }

  /** Sets the size in CSS pixels. `ratio`: device pixels per CSS pixel. */
  resize({ width, height }: Size, ratio: number): void {
    const { view, Size } = this.scope;
    if (view.pixelRatio !== ratio) {
      // paper.js reads the ratio only when it is set up, and applies it when the size changes.
      Object.assign(view, { _pixelRatio: ratio });
      view.viewSize = new Size(0, 0);
    }
    view.viewSize = new Size(width, height);
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
  }

  place({ zoom, x, y }: ViewState): void {
    this.scope.view.matrix = new this.scope.Matrix(zoom, 0, 0, zoom, x, y);
    if (zoom === this.zoom) return;
    this.zoom = zoom;
    this.showDraft(this.draft);
    this.showSpot(this.spot);
    if (this.selected?.isLocked) this.showSelected(this.selected);
  }

  paint(): void {
    this.scope.view.update();
    this.paintVertices();
    this.paintMarks();
  }

  get selectedShape(): ActiveShape | null {
    return this.selected;
  }

  /** Shows the selected shape on this layer, or hides it while another layer paints it. */
  setSelectedVisible(isShown: boolean): void {
    this.isSelectedVisible = isShown;
    for (const item of this.selectedItems) item.visible = isShown;
  }

  /** Sets the opacity of the fill, 0 to 1. */
  showOpacity(opacity: number): void {
    this.opacity = opacity;
    this.showSelected(this.selected);
  }

  showSelected(shape: ActiveShape | null): void {
    for (const item of this.selectedItems) item.remove();
    this.selected = shape;
    this.selectedItems = shape ? this.highlightOf(shape, fillOf(shape, this.opacity)) : [];
    const top = this.selectedItems.at(-1);
    if (!shape || !top) return;
    top.fillColor = new this.scope.Color(shape.color);
    top.fillColor.alpha = fillOf(shape, this.opacity);
    // The ring of a line goes there and back, so the way back would fill the gaps between dashes.
    if (shape.isLocked && !shape.rings.some(isLine)) top.dashArray = DASH_PX.map((length) => length / this.zoom);
    for (const item of this.selectedItems.toReversed()) item.sendToBack();
    this.setSelectedVisible(this.isSelectedVisible);
  }

  /** Shows the keypoints of the selected annotation, above its shape. */
  showSkeleton(skeleton: Skeleton | null, marks?: KeypointMarks): void {
    this.skeleton = skeleton;
    this.marks = marks;
  }

  showHover(shape: Shape | null): void {
    for (const item of this.hoverItems) item.remove();
    this.hovered = shape;
    this.hoverItems = shape ? this.highlightOf(shape, this.opacity) : [];
  }

  showDraft(draft: Draft | null): void {
    this.draft = draft;
    for (const item of this.draftItems) item.remove();
    this.draftItems = draft ? this.draftOf(draft) : [];
  }

  /** Shows points that are being set, and the boxes around them, above everything else. */
  showGuides(guides: Guides | null): void {
    this.guides = guides;
  }

  /** Marks the vertex or point of the outline that a press would grab. */
  showSpot(spot: Spot | null): void {
    this.spot = spot;
    this.spotItem?.remove();
    this.spotItem = null;
    if (!spot) return;
    const radius = spot.kind === "outline" ? SIZE.spot * 0.7 : SIZE.spot;
    const circle = new this.scope.Path.Circle(new this.scope.Point(spot.x, spot.y), radius / this.zoom);
    circle.fillColor = new this.scope.Color(spot.kind === "delete" ? "#e03131" : "#ffffff");
    this.line(circle, "#000000", 1.5);
    this.spotItem = circle;
  }

  remove(): void {
    this.scope.view.remove();
    this.scope.project.remove();
  }

  private draftOf({ ring, closed, stroke, guide, band, marks = [], target }: Draft): paper.Item[] {
    const path = this.path(ring, closed);
    const items: paper.Item[] = [path];
    const dashed = band ?? (guide && ring.length >= 2 ? [...ring.slice(-2), guide.x, guide.y] : null);
    if (dashed) {
      const line = this.path(dashed, false);
      line.dashArray = [6 / this.zoom, 4 / this.zoom];
      items.push(line);
    }
    for (const item of items) this.line(item, stroke, SIZE.draft);
    if (!closed && ring.length >= 2) items.push(this.dot(ring, 0, target ? SIZE.target : SIZE.target / 2, stroke));
    for (let i = 2; i + 3 < marks.length; i += 2) items.push(this.dot(marks, i, SIZE.target / 2, stroke));
    if (!closed && ring.length >= 4) items.push(this.dot(ring, ring.length - 2, SIZE.target / 2, stroke));
    return items;
  }

  private dot(ring: Ring, at: number, radius: number, stroke: string): paper.Item {
    const dot = new this.scope.Path.Circle(new this.scope.Point(ring[at]!, ring[at + 1]!), radius / this.zoom);
    dot.fillColor = new this.scope.Color(radius === SIZE.target ? "#2ecc71" : stroke);
    this.line(dot, stroke, 1.5);
    return dot;
  }

  /** Returns a path for each line of a highlighted outline, the widest first. */
  private highlightOf(shape: Pick<ActiveShape, "rings" | "color">, opacity: number): paper.CompoundPath[] {
    return highlightLines(shape, opacity).map(({ color, width }) => {
      const item = this.compound(shape.rings);
      this.line(item, color, width);
      return item;
    });
  }

  private compound(polygons: Rings): paper.CompoundPath {
    const { rings, rule } = fillingOf(polygons);
    const item = new this.scope.CompoundPath({ fillRule: rule });
    item.addChildren(rings.map((ring) => this.path(ring, true)));
    return item;
  }

  private path(ring: ArrayLike<number>, closed: boolean): paper.Path {
    const segments: number[][] = [];
    for (let i = 0; i + 1 < ring.length; i += 2) segments.push([ring[i]!, ring[i + 1]!]);
    return new this.scope.Path({ segments, closed });
  }

  private line(item: paper.Item, color: string, width: number): void {
    item.strokeColor = new this.scope.Color(color);
    item.strokeWidth = width;
    item.strokeScaling = false;
    item.strokeJoin = "round";
  }

  /**
   * Paints the vertices without paper.js: thousands of paper items would be slow, and paper's own handles are always
   * blue.
   */
  private paintVertices(): void {
    const context = this.canvas.getContext("2d");
    const [outline] = this.selectedItems;
    if (!context || !this.selected?.vertices || !outline) return;
    const rings = this.selected.rings.flat();
    const vertices = rings.reduce((sum, ring) => sum + (ring.length >> 1), 0);
    if ((outline.length * this.zoom) / Math.max(vertices, 1) < MIN_SPACING) return;
    const { matrix, pixelRatio: ratio } = this.scope.view;
    const edge = Math.max(Math.round(ratio), 1);
    const side = Math.round(SIZE.handle * ratio);
    const from = Math.floor(side / 2);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const ring of rings)
      for (let i = 0; i + 1 < ring.length; i += 2) {
        const left = Math.round((ring[i]! * this.zoom + matrix.tx) * ratio) - from;
        const top = Math.round((ring[i + 1]! * this.zoom + matrix.ty) * ratio) - from;
        context.fillStyle = HANDLE_EDGE;
        context.fillRect(left - edge, top - edge, side + 2 * edge, side + 2 * edge);
        context.fillStyle = "#ffffff";
        context.fillRect(left, top, side, side);
      }
    context.restore();
  }

  /**
   * Paints the keypoints of the hovered and the selected annotation, with a light halo around their edges, then the
   * rotation handle and the guides.
   */
  private paintMarks(): void {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const { matrix, pixelRatio: ratio } = this.scope.view;
    const to = { scale: this.zoom * ratio, x: matrix.tx * ratio, y: matrix.ty * ratio };
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.hovered) paintKeypoints(context, this.hovered, to, ratio, { isBright: true });
    if (this.skeleton) paintKeypoints(context, this.skeleton, to, ratio, { isBright: true, ...this.marks });
    if (this.selected?.turns && this.isSelectedVisible) paintTurnHandle(context, this.selected.turns, to, ratio);
    if (this.guides) paintGuides(context, this.guides, to, ratio);
    context.restore();
  }
}
