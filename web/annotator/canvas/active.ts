import paper from "paper/dist/paper-core";
import { SHAPE_OPACITY } from "../../../shared/constants";
import type { Ring, Rings } from "../../../shared/entities/shape";
import type { Dot } from "./shapes";
import type { Point, Size, ViewState } from "./view";

/** The shape in hand. Coordinates in image pixels. */
export interface Hand {
  rings: Rings;
  color: string;
  /** Whether its vertices are shown, to be taken hold of. */
  vertices: boolean;
  dots: readonly Dot[];
}

/** An unfinished shape of a tool: an open line, or a closed outline; `guide` is where the pointer is. */
export interface Draft {
  ring: Ring;
  closed: boolean;
  stroke: string;
  guide?: Point | null;
  /** Shows the first point as a target: a click there closes the outline. */
  target?: boolean;
}

export interface Spot extends Point {
  kind: "vertex" | "outline" | "delete";
}

/** Screen sizes in CSS pixels. */
const SIZE = { stroke: 2, draft: 2.5, spot: 7, handle: 7, target: 6, dot: 6 } as const;
/** Vertices nearer than this to each other, on the average, are not drawn: they would hide the outline. */
const MIN_SPACING = 7;

/** The only paper.js project: the shape in hand with its vertices, the hovered outline, and the drafts of tools. */
export class ActiveLayer {
  private readonly scope = new paper.PaperScope();
  private hand: Hand | null = null;
  private handItem: paper.CompoundPath | null = null;
  private dotItems: paper.Item[] = [];
  private hoverItem: paper.CompoundPath | null = null;
  private draftItems: paper.Item[] = [];
  private spotItem: paper.Item | null = null;
  private zoom = 1;
  private draft: Draft | null = null;
  private spot: Spot | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.scope.setup(canvas);
    this.scope.view.autoUpdate = false;
    this.scope.settings.handleSize = SIZE.handle;
    this.scope.settings.applyMatrix = true;
  }

  resize({ width, height }: Size): void {
    this.scope.view.viewSize = new this.scope.Size(width, height);
  }

  place({ zoom, x, y }: ViewState): void {
    this.scope.view.matrix = new this.scope.Matrix(zoom, 0, 0, zoom, x, y);
    if (zoom === this.zoom) return;
    this.zoom = zoom;
    this.markVertices();
    this.showDots();
    this.showDraft(this.draft);
    this.showSpot(this.spot);
  }

  paint(): void {
    this.scope.view.update();
  }

  showHand(hand: Hand | null): void {
    this.handItem?.remove();
    this.hand = hand;
    this.showDots();
    this.handItem = hand && this.compound(hand.rings);
    if (!hand || !this.handItem) return;
    const fill = new this.scope.Color(hand.color);
    fill.alpha = SHAPE_OPACITY;
    this.handItem.fillColor = fill;
    this.line(this.handItem, hand.color, SIZE.stroke);
    this.handItem.selectedColor = new this.scope.Color(hand.color);
    this.markVertices();
    this.handItem.sendToBack();
  }

  private showDots(): void {
    for (const item of this.dotItems) item.remove();
    this.dotItems = (this.hand?.dots ?? []).map((dot) => {
      const circle = new this.scope.Path.Circle(new this.scope.Point(dot.x, dot.y), SIZE.dot / this.zoom);
      circle.fillColor = new this.scope.Color(dot.filled ? dot.color : "#ffffff");
      this.line(circle, "#ffffff", 1.5);
      return circle;
    });
  }

  showHover(rings: Rings | null): void {
    this.hoverItem?.remove();
    this.hoverItem = rings && this.compound(rings);
    if (this.hoverItem) this.line(this.hoverItem, "#ffffff", SIZE.stroke);
  }

  showDraft(draft: Draft | null): void {
    this.draft = draft;
    for (const item of this.draftItems) item.remove();
    this.draftItems = draft ? this.draftOf(draft) : [];
  }

  /** The mark at the vertex or place of the outline that a press would take hold of. */
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

  private draftOf({ ring, closed, stroke, guide, target }: Draft): paper.Item[] {
    const path = this.path(ring, closed);
    const items: paper.Item[] = [path];
    if (guide && ring.length >= 2) {
      const band = this.path([...ring.slice(-2), guide.x, guide.y], false);
      band.dashArray = [6 / this.zoom, 4 / this.zoom];
      items.push(band);
    }
    for (const item of items) this.line(item, stroke, SIZE.draft);
    if (!closed && ring.length >= 2) items.push(this.dot(ring, 0, target ? SIZE.target : SIZE.target / 2, stroke));
    if (!closed && ring.length >= 4) items.push(this.dot(ring, ring.length - 2, SIZE.target / 2, stroke));
    return items;
  }

  private dot(ring: Ring, at: number, radius: number, stroke: string): paper.Item {
    const dot = new this.scope.Path.Circle(new this.scope.Point(ring[at]!, ring[at + 1]!), radius / this.zoom);
    dot.fillColor = new this.scope.Color(radius === SIZE.target ? "#2ecc71" : stroke);
    this.line(dot, stroke, 1.5);
    return dot;
  }

  private compound(rings: Rings): paper.CompoundPath {
    const item = new this.scope.CompoundPath({ fillRule: "evenodd" });
    item.addChildren(rings.flat().map((ring) => this.path(ring, true)));
    return item;
  }

  private path(ring: Ring, closed: boolean): paper.Path {
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

  private markVertices(): void {
    if (!this.handItem || !this.hand) return;
    let vertices = 0;
    for (const ring of this.hand.rings.flat()) vertices += ring.length >> 1;
    const spacing = (this.handItem.length * this.zoom) / Math.max(vertices, 1);
    const shown = this.hand.vertices && spacing >= MIN_SPACING;
    for (const path of this.handItem.children) path.selected = shown;
  }
}
