import type { StoreApi } from "zustand/vanilla";
import { ActiveLayer } from "./active/activeLayer";
import { PaintingLayer } from "./active/paintingLayer";
import { Crosshair } from "./aids/crosshair";
import { OthersLayer } from "./aids/othersLayer";
import { PixelGrid } from "./aids/pixelGrid";
import { ShapeNames, type ShownBox } from "./aids/shapeNames";
import { PointerCircle } from "./circle";
import { ImageLayer } from "./imageLayer";
import { Labels } from "./labels";
import { Scene } from "./scene/scene";
import type { Shapes } from "./shapes/shapes";
import { type CursorVoice, KeyCursor } from "./view/keyCursor";
import { watchPixelRatio } from "./view/pixelRatio";
import { type HeldKeys, PointerInputs, type PointerTarget } from "./view/pointer";
import type { Point, Size, View } from "./view/view";

export interface StageParts {
  view: View;
  shapes: Shapes;
  keys: HeldKeys;
  target: PointerTarget;
  fileName: string;
  /** Size of the image, in image pixels. */
  size: Size;
  voice: CursorVoice;
  /** Pointers and selections of other users. */
  others: ConstructorParameters<typeof OthersLayer>[2] & Pick<StoreApi<unknown>, "subscribe">;
  /** Returns the name to show on an annotation's shape. */
  nameOf: (uuid: string) => string;
  /** Returns the number to show on an annotation's shape; null for none. */
  numberOf: (uuid: string) => number | null;
}

type Aid = "crosshair" | "pixelGrid" | "names" | "numbers" | "others";

/** Display settings of the image and the shapes. */
export interface Look {
  /** CSS filter of the image. */
  filter: string;
  /** Opacity of fills, 0 to 1. */
  opacity: number;
  /** True if shapes are not filled. Areas that are being drawn are filled anyway. */
  isOutlineOnly: boolean;
}

/** The stacked layers: image, shapes, the selected shape, texts. All are updated in the same animation frame. */
export class Stage {
  readonly image: ImageLayer;
  readonly scene: Scene;
  readonly painting: PaintingLayer;
  readonly active: ActiveLayer;
  readonly circle: PointerCircle;
  readonly labels: Labels;
  readonly cursor: KeyCursor;
  private readonly grid: PixelGrid;
  private readonly names: ShapeNames;
  private readonly crosshair: Crosshair;
  private readonly others: OthersLayer;
  private readonly view: View;
  private readonly pointer: PointerInputs;
  private readonly observer: ResizeObserver;
  private readonly unsubscribes: readonly (() => void)[];
  private readonly listening = new AbortController();
  private frame = 0;
  /** Position of the canvas when its size was last set, in CSS pixels of the window, and the size of the window. */
  private place: { top: number; width: number; page: string } | null = null;

  constructor(
    private readonly element: HTMLElement,
    { view, shapes, keys, target, fileName, size, voice, others, nameOf, numberOf }: StageParts,
  ) {
    this.view = view;
    this.image = new ImageLayer(element, size);
    this.grid = new PixelGrid(element, size);
    this.scene = new Scene(element, shapes, view, this.requestFrame);
    this.painting = new PaintingLayer(element, size);
    const canvas = document.createElement("canvas");
    canvas.className = "annotator-layer";
    element.append(canvas);
    this.active = new ActiveLayer(canvas);
    this.names = new ShapeNames(element, shapes, nameOf, numberOf);
    this.others = new OthersLayer(element, shapes, others);
    this.labels = new Labels(element, fileName, size);
    this.crosshair = new Crosshair(element, this.listening.signal);
    this.circle = new PointerCircle(element, this.listening.signal);
    this.pointer = new PointerInputs(element, view, keys, target);
    this.cursor = new KeyCursor(element, view, target, voice, size, this.listening.signal);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    watchPixelRatio(() => this.resize(), this.listening.signal);
    this.unsubscribes = [view.store.subscribe(this.requestFrame), others.subscribe(this.requestFrame)];
    this.resize();
  }

  /** Updates all layers in the next frame. Must be called when something has changed. */
  readonly requestFrame = (): void => {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.paint(now));
  };

  showLook({ filter, opacity, isOutlineOnly }: Look): void {
    this.image.showFilter(filter);
    this.scene.showOpacity(isOutlineOnly ? 0 : opacity);
    this.painting.showOpacity(opacity);
    this.active.showOpacity(isOutlineOnly ? 0 : opacity);
    this.requestFrame();
  }

  /** Returns the uuid of the shape whose name is at a point of the canvas, in CSS pixels; null if there is none. */
  nameAt(point: Point): string | null {
    return this.names.at(point);
  }

  /** Moves the names of shapes that a gesture shows in another place; null moves them back. */
  showMovedNames(shownBox: ShownBox | null): void {
    this.names.showMoved(shownBox);
  }

  /** Shows or hides the crosshair, the pixel grid, names and numbers of shapes, and the pointers of other users. */
  showAids({ crosshair, pixelGrid, names, numbers, others }: Record<Aid, boolean>) {
    this.crosshair.show(crosshair);
    this.grid.show(pixelGrid);
    this.names.show({ names, numbers });
    this.others.show(others);
    this.requestFrame();
  }

  /** Hides all shapes, or shows them again. CSS does it, so that nothing is repainted. */
  hideShapes(isHidden: boolean): void {
    this.element.classList.toggle("annotator-bare", isHidden);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  /** Shows a CSS cursor over the canvas; null restores the tool's cursor. */
  showCursor(cursor: string | null): void {
    if (cursor) this.element.style.setProperty("--hold-cursor", cursor);
    else this.element.style.removeProperty("--hold-cursor");
  }

  remove(): void {
    this.showCursor(null);
    cancelAnimationFrame(this.frame);
    this.frame = -1;
    for (const unsubscribe of this.unsubscribes) unsubscribe();
    this.observer.disconnect();
    this.pointer.remove();
    this.listening.abort();
    this.scene.remove();
    this.active.remove();
    this.element.replaceChildren();
  }

  private paint(now: number): void {
    this.frame = 0;
    const state = this.view.state;
    this.image.place(state);
    this.grid.place(state);
    this.names.frame(state);
    this.labels.place(state);
    this.others.place(state);
    this.circle.place(state);
    this.cursor.place();
    this.painting.frame(state, this.active.selectedShape);
    this.active.setSelectedVisible(!this.painting.isActive);
    this.active.place(state);
    this.active.paint();
    this.scene.frame(now);
  }

  private resize(): void {
    const size = { width: this.element.clientWidth, height: this.element.clientHeight };
    if (size.width < 1 || size.height < 1) return;
    const place = { top: this.element.getBoundingClientRect().top, width: size.width, page: pageSize() };
    const before = this.place;
    this.place = place;
    // A banner above the canvas appeared or disappeared: the image must not move under the pointer.
    if (before && before.top !== place.top && before.width === place.width && before.page === place.page)
      this.view.resizeBelow(size, place.top - before.top);
    else this.view.resize(size);
    const ratio = window.devicePixelRatio || 1;
    this.painting.resize(size, ratio);
    this.active.resize(size, ratio);
    this.scene.resize(size, ratio);
    this.grid.resize(size, ratio);
    this.names.resize(size, ratio);
    this.requestFrame();
  }
}

function pageSize(): string {
  return `${window.innerWidth}x${window.innerHeight}`;
}
