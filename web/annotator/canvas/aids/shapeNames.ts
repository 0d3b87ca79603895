import type { Box, Shape, Shapes } from "../shapes/shapes";
import type { Point, Size, ViewState } from "../view/view";
import { clearCanvas } from "./clearCanvas";
import { isIn, overlapOf, type ShownShape, visibleTops } from "./visibleTop";

/** Minimum size of a shape on the screen that gets a name or only a number, in CSS pixels. */
const SMALLEST = { name: { width: 30, height: 20 }, number: { width: 16, height: 14 } };
/** Measures of a painted name, in CSS pixels. */
const FONT_PX = 11;
const HEIGHT = 16;
const PADDING = 5;
const STRIPE = 3;
/** Maximum width of a name's text, in CSS pixels. */
const LONGEST = 160;
/** Maximum number of names shown at once: more cannot be read, and would slow panning down. */
const MOST = 150;
/** Maximum number of shapes that are tried: where thousands overlap, most names would be left out anyway. */
const MOST_TRIED = 4 * MOST;

/** A name to paint, with its place on the canvas in CSS pixels. */
export interface Placed extends Box {
  uuid: string;
  text: string;
  color: string;
}

/**
 * Returns the names of shapes that are in view and large enough, largest first. A name stands above the highest point
 * of the visible part of its shape, and not farther left or right than this part; a number may. Names that would
 * overlap earlier ones are left out.
 */
export function placeNames(
  shapes: { each: (visit: (shape: ShownShape) => void) => void },
  { zoom, x, y }: ViewState,
  size: Size,
  textOf: (shape: Shape) => { text: string; width: number },
  kind: keyof typeof SMALLEST = "name",
): Placed[] {
  const smallest = SMALLEST[kind];
  const view = { minX: -x / zoom, minY: -y / zoom, maxX: (size.width - x) / zoom, maxY: (size.height - y) / zoom };
  const found: { shape: ShownShape; area: number }[] = [];
  shapes.each((shape) => {
    const width = (shape.maxX - shape.minX) * zoom;
    const height = (shape.maxY - shape.minY) * zoom;
    if (width < smallest.width || height < smallest.height) return;
    if (isIn(shape, view)) found.push({ shape, area: width * height });
  });
  found.sort((a, b) => b.area - a.area);
  const placed: Placed[] = [];
  const findTop = visibleTops(view);
  for (const { shape } of found.slice(0, MOST_TRIED)) {
    const { text, width } = textOf(shape);
    if (text === "") continue;
    const seen = overlapOf(shape, view);
    const top = findTop(shape, kind === "name" ? "left" : "middle");
    if (!top) continue;
    const middle = top.x * zoom + x - width / 2;
    const left =
      kind === "name" ? Math.max(Math.min(middle, seen.maxX * zoom + x - width), seen.minX * zoom + x) : middle;
    const minX = Math.round(Math.max(Math.min(left, size.width - width), 0));
    const minY = Math.round(Math.max(top.y * zoom + y - HEIGHT, 0));
    const place = { uuid: shape.uuid, text, color: shape.color, minX, minY, maxX: minX + width, maxY: minY + HEIGHT };
    if (placed.some((other) => covers(other, place))) continue;
    placed.push(place);
    if (placed.length === MOST) break;
  }
  return placed;
}

/** Returns the uuid of the shape whose name is at a point of the canvas, in CSS pixels; null if there is none. */
export function nameAt(placed: readonly Placed[], { x, y }: Point): string | null {
  const isOn = ({ minX, minY, maxX, maxY }: Box) => x >= minX && x < maxX && y >= minY && y < maxY;
  return placed.find(isOn)?.uuid ?? null;
}

const covers = (a: Box, b: Box): boolean => a.minX < b.maxX && a.maxX > b.minX && a.minY < b.maxY && a.maxY > b.minY;

/** Returns the box in which a gesture shows a shape; null if the gesture does not move the shape. */
export type ShownBox = (shape: Shape) => Box | null;

/** Returns the shapes with the boxes in which a gesture shows them. */
export function shownShapes(
  shapes: Pick<Shapes, "each">,
  shownBox: ShownBox | null,
): { each: (visit: (shape: ShownShape) => void) => void } {
  if (!shownBox) return shapes;
  const shown = (shape: Shape): ShownShape => {
    const box = shownBox(shape);
    return box ? { ...shape, ...box, stored: shape } : shape;
  };
  return { each: (visit) => shapes.each((shape) => visit(shown(shape))) };
}

/** The layer with the names or numbers of the shapes. */
export class ShapeNames {
  private readonly canvas = document.createElement("canvas");
  private readonly widths = new Map<string, number>();
  private shown = { names: false, numbers: false };
  private size: Size = { width: 0, height: 0 };
  private ratio = 1;
  private placed: readonly Placed[] = [];
  private painted: { view: ViewState; version: number } | null = null;
  private shownBox: ShownBox | null = null;

  constructor(
    parent: HTMLElement,
    private readonly shapes: Shapes,
    private readonly nameOf: (uuid: string) => string,
    private readonly numberOf: (uuid: string) => number | null,
  ) {
    this.canvas.className = "annotator-names";
    this.canvas.hidden = true;
    parent.append(this.canvas);
  }

  show(shown: { names: boolean; numbers: boolean }): void {
    this.shown = shown;
    this.canvas.hidden = !this.isOn;
    this.painted = null;
  }

  private get isOn(): boolean {
    return this.shown.names || this.shown.numbers;
  }

  /** Moves the names of shapes that a gesture shows in another place; null moves them back. */
  showMoved(shownBox: ShownBox | null): void {
    if (shownBox === this.shownBox) return;
    this.shownBox = shownBox;
    this.painted = null;
  }

  /** Returns the uuid of the shape whose name is painted at a point of the canvas, in CSS pixels. */
  at(point: Point): string | null {
    return this.isOn ? nameAt(this.placed, point) : null;
  }

  resize(size: Size, ratio: number): void {
    this.size = size;
    this.ratio = ratio;
    this.painted = null;
  }

  /** Paints the names if the view or the shapes have changed. */
  frame(view: ViewState): void {
    const { version } = this.shapes;
    if (!this.isOn || (this.painted?.view === view && this.painted.version === version)) return;
    this.painted = { view, version };
    this.paint(view);
  }

  private paint(view: ViewState): void {
    const { canvas, size, ratio } = this;
    const context = clearCanvas(canvas, size, ratio);
    if (!context) return;
    context.scale(ratio, ratio);
    context.font = `500 ${FONT_PX}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    const textOf = ({ uuid }: Shape) => {
      const text = this.textOf(uuid);
      return { text, width: this.widthOf(text, context) };
    };
    const kind = this.shown.names ? "name" : "number";
    this.placed = placeNames(shownShapes(this.shapes, this.shownBox), view, size, textOf, kind);
    for (const { text, color, minX, minY, maxX } of this.placed) {
      context.fillStyle = "rgb(20 22 28 / 82%)";
      context.fillRect(minX, minY, maxX - minX, HEIGHT);
      context.fillStyle = color;
      context.fillRect(minX, minY, STRIPE, HEIGHT);
      context.fillStyle = "#ffffff";
      context.fillText(text, minX + STRIPE + PADDING, minY + HEIGHT / 2 + 0.5, LONGEST);
    }
  }

  private textOf(uuid: string): string {
    const { names, numbers } = this.shown;
    const number = numbers ? this.numberOf(uuid) : null;
    return [names && this.nameOf(uuid), number].filter(Boolean).join(" ");
  }

  private widthOf(text: string, context: CanvasRenderingContext2D): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    const width = Math.ceil(Math.min(context.measureText(text).width, LONGEST)) + STRIPE + 2 * PADDING;
    this.widths.set(text, width);
    return width;
  }
}
