import { createStore } from "zustand/vanilla";
import { ZOOM } from "../../../../shared/constants";

/** A point in image pixels or in CSS pixels of the canvas, depending on the name of the variable. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Position of the image on the canvas: screen = image x zoom + (x, y), in CSS pixels from the canvas's top left. */
export interface ViewState {
  zoom: number;
  x: number;
  y: number;
}

/** Strips at the edges of the canvas that a panel covers, in CSS pixels. */
interface Covered {
  left: number;
  bottom: number;
}

/** A box in image pixels. */
export interface BoxInView {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export function sameView(a: ViewState, b: ViewState | null): boolean {
  return b !== null && a.zoom === b.zoom && a.x === b.x && a.y === b.y;
}

/** Zoom per wheel unit: one notch (100 units) changes the zoom by the specified step. */
const ZOOM_PER_UNIT = Math.log(1 + ZOOM.step) / 100;
/** Zoom per unit of a trackpad pinch, whose units are about ten times finer than a wheel's. */
const PINCH_PER_UNIT = 0.01;
/** Length of a box's longer side on the screen, in CSS pixels, below which `bringIntoView` also zooms in. */
const TINY_PX = 16;
/** Panning keeps at least this fraction of the image on the canvas. */
const PANNED_SHARE = 0.3;
/** Zooming keeps at least a strip of the image on the canvas, of this many CSS pixels. */
const STRIP_PX = 40;
/** Maximum units of one event, because some wheels report absurd distances. */
const MAX_UNITS = 400;

/** Share of the canvas that a box fills after zooming to it. */
const BOX_SHARE = 0.7;

const UNCOVERED: Covered = { left: 0, bottom: 0 };

/** Zoom, pan and fit, without any DOM. */
export class View {
  readonly store = createStore<ViewState>(() => ({ zoom: 1, x: 0, y: 0 }));
  /** Size of the canvas, in CSS pixels. */
  private size: Size = { width: 1, height: 1 };
  private fitted = true;
  private covered = UNCOVERED;
  /** Views before and after `cover` moved an image that is not fitted; null if it did not. */
  private moved: { from: ViewState; to: ViewState } | null = null;

  constructor(
    /** Size in image pixels. */
    private readonly image: Size,
  ) {}

  get state(): ViewState {
    return this.store.getState();
  }

  get canvasSize(): Size {
    return this.size;
  }

  toImage(screen: Point): Point {
    const { zoom, x, y } = this.state;
    return { x: (screen.x - x) / zoom, y: (screen.y - y) / zoom };
  }

  toScreen(image: Point): Point {
    const { zoom, x, y } = this.state;
    return { x: image.x * zoom + x, y: image.y * zoom + y };
  }

  /** Returns the visible part of the image, in image pixels. */
  seen(): { x: number; y: number; width: number; height: number } {
    const start = this.toImage({ x: 0, y: 0 });
    const end = this.toImage({ x: this.size.width, y: this.size.height });
    const [x, y] = [Math.max(start.x, 0), Math.max(start.y, 0)];
    const width = Math.max(Math.min(end.x, this.image.width) - x, 0);
    const height = Math.max(Math.min(end.y, this.image.height) - y, 0);
    return { x, y, width, height };
  }

  /** Sets the canvas size. A fitted image stays fitted; otherwise the point in the middle stays in the middle. */
  resize(size: Size): void {
    const { width, height } = this.size;
    this.size = size;
    if (this.fitted) this.fit();
    else this.panBy((size.width - width) / 2, (size.height - height) / 2);
  }

  /**
   * Sets the canvas size after the canvas's upper edge has moved down by `dy` CSS pixels, or up if `dy` is negative.
   * The image stays where it is on the screen.
   */
  resizeBelow(size: Size, dy: number): void {
    this.size = size;
    const { zoom, x, y } = this.state;
    this.store.setState({ zoom, x, y: y - dy });
  }

  /**
   * Makes room for a panel over the canvas. An image that would lie under it moves beside it: a fitted image is fitted
   * there, another one keeps its zoom.
   */
  cover(covered: Covered): void {
    const isNew = this.covered === UNCOVERED;
    const before = this.middle;
    this.covered = covered;
    const from = this.state;
    if (this.fitted) this.fit();
    else if (isNew && this.isUnderPanel(from)) {
      const { x, y } = this.middle;
      this.store.setState({ zoom: from.zoom, x: from.x + x - before.x, y: from.y + y - before.y });
      this.moved = { from, to: this.state };
    }
  }

  /** Ends `cover`. The image returns to its former place, unless it has been zoomed or panned meanwhile. */
  uncover(): void {
    this.covered = UNCOVERED;
    if (this.fitted) this.fit();
    else if (this.moved?.to === this.state) this.store.setState(this.moved.from);
    this.moved = null;
  }

  /** Centres the whole image, at up to 95% of the canvas width and 80% of its height, and not under a panel. */
  fit(): void {
    const fitted = this.fittedInto({ x: 0, y: 0, ...this.size });
    this.store.setState(this.isUnderPanel(fitted) ? this.fittedInto(this.free) : fitted);
    this.fitted = true;
  }

  panBy(dx: number, dy: number): void {
    const { zoom, x, y } = this.state;
    this.fitted = false;
    this.store.setState({ zoom, x: x + dx, y: y + dy });
    this.keepInSight(PANNED_SHARE);
  }

  /** Moves an image point to the middle of the canvas. */
  centre(image: Point): void {
    const { x, y } = this.toScreen(image);
    this.panBy(this.middle.x - x, this.middle.y - y);
  }

  /** Multiplies the zoom, within its limits. The image point under `screen` does not move. */
  zoomAbout(screen: Point, factor: number): void {
    const old = this.state;
    const zoom = clampZoom(old.zoom * factor);
    const scale = zoom / old.zoom;
    this.fitted = false;
    this.store.setState({ zoom, x: screen.x - (screen.x - old.x) * scale, y: screen.y - (screen.y - old.y) * scale });
    this.keepInSight();
  }

  /**
   * Shows a box (image pixels) in the middle of the canvas if less than half of it is visible or if it is tiny on the
   * screen. A tiny box is enlarged to a quarter of the canvas; a box larger than the canvas is fitted into it.
   */
  bringIntoView({ minX, minY, maxX, maxY }: BoxInView): void {
    const { x: left, width, height } = this.free;
    const { zoom: before } = this.state;
    const longer = Math.max(maxX - minX, maxY - minY, 1e-6);
    const [from, to] = [this.toScreen({ x: minX, y: minY }), this.toScreen({ x: maxX, y: maxY })];
    const isTiny = longer * before < TINY_PX && before < ZOOM.max;
    if (!isTiny && isSeen(from.x - left, to.x - left, width) && isSeen(from.y, to.y, height)) return;
    const fitting = Math.min(
      (width * ZOOM.fitHeight) / (maxX - minX || 1),
      (height * ZOOM.fitHeight) / (maxY - minY || 1),
    );
    const zoom = clampZoom(isTiny ? Math.min(width, height) / 4 / longer : Math.min(before, fitting));
    this.putInMiddle({ x: (minX + maxX) / 2, y: (minY + maxY) / 2 }, zoom);
  }

  /** Zooms one step in or out about the middle of the canvas. */
  zoomStep(by: 1 | -1): void {
    this.zoomAbout(this.middle, (1 + ZOOM.step) ** by);
  }

  /** Zooms to the given factor about the middle of the canvas. */
  zoomTo(zoom: number): void {
    this.zoomAbout(this.middle, zoom / this.state.zoom);
  }

  /** Zooms so that a box in image pixels fills most of the canvas, in its middle. */
  zoomToBox({ minX, minY, maxX, maxY }: BoxInView): void {
    const width = Math.max(maxX - minX, 1);
    const height = Math.max(maxY - minY, 1);
    const zoom = clampZoom(Math.min(this.free.width / width, this.free.height / height) * BOX_SHARE);
    this.putInMiddle({ x: (minX + maxX) / 2, y: (minY + maxY) / 2 }, zoom);
  }

  /** Part of the canvas that no panel covers, in CSS pixels. */
  private get free(): Point & Size {
    const { left, bottom } = this.covered;
    return {
      x: left,
      y: 0,
      width: Math.max(this.size.width - left, 1),
      height: Math.max(this.size.height - bottom, 1),
    };
  }

  /** Middle of the part that no panel covers. */
  private get middle(): Point {
    const { x, width, height } = this.free;
    return { x: x + width / 2, y: height / 2 };
  }

  /** Returns true if the image would lie under the panel in this view. */
  private isUnderPanel({ zoom, x, y }: ViewState): boolean {
    const { left, bottom } = this.covered;
    const isBelow = y + this.image.height * zoom > this.size.height - bottom;
    return (left > 0 && x < left) || (bottom > 0 && isBelow);
  }

  /** Returns the view in which the whole image is in the middle of a part of the canvas. */
  private fittedInto(part: Point & Size): ViewState {
    const { width, height } = this.image;
    const zoom = clampZoom(Math.min((part.width / width) * ZOOM.fitWidth, (part.height / height) * ZOOM.fitHeight));
    return {
      zoom,
      x: part.x + (part.width - width * zoom) / 2,
      y: part.y + (part.height - height * zoom) / 2,
    };
  }

  private putInMiddle(image: Point, zoom: number): void {
    const { x, y } = this.middle;
    this.fitted = false;
    this.store.setState({ zoom, x: x - image.x * zoom, y: y - image.y * zoom });
  }

  zoomByWheel(screen: Point, units: number): void {
    this.zoomAbout(screen, Math.exp(-clampUnits(units) * ZOOM_PER_UNIT));
  }

  zoomByPinch(screen: Point, units: number): void {
    this.zoomAbout(screen, Math.exp(-clampUnits(units) * PINCH_PER_UNIT));
  }

  /**
   * Keeps at least a strip of the image on the canvas, so that users cannot lose it. `share`: minimum length of the
   * strip, as a fraction of the image or the canvas, whichever is smaller.
   */
  private keepInSight(share = 0): void {
    const { zoom, x, y } = this.state;
    const { width, height } = this.image;
    const strip = (image: number, canvas: number) => Math.max(Math.min(image, canvas) * share, STRIP_PX);
    const [across, down] = [strip(width * zoom, this.size.width), strip(height * zoom, this.size.height)];
    const limited = {
      zoom,
      x: clamp(x, across - width * zoom, this.size.width - across),
      y: clamp(y, down - height * zoom, this.size.height - down),
    };
    if (limited.x !== x || limited.y !== y) this.store.setState(limited);
  }
}

/**
 * Returns true if the part of an interval between 0 and `size` is at least half of the interval or of `size`, whichever
 * is smaller.
 */
function isSeen(from: number, to: number, size: number): boolean {
  return Math.min(to, size) - Math.max(from, 0) >= Math.min(to - from, size) / 2;
}

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, Math.min(min, max)), Math.max(min, max));
const clampZoom = (zoom: number): number => clamp(zoom, ZOOM.min, ZOOM.max);
const clampUnits = (units: number): number => clamp(units, -MAX_UNITS, MAX_UNITS);
