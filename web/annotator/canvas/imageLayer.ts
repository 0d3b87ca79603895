import type { Channels } from "../../../shared/color/hex";
import type { Point, Size, ViewState } from "./view/view";

/** Longest side of the copy from which colours are read, in pixels. */
const SAMPLE_SIDE = 1024;
/** Above this zoom, pixels are shown as squares, because users place points on pixel edges there. */
const PIXELATED_ABOVE = 2;
/** Time without movement after which the image counts as still, in milliseconds. */
const REST_MS = 120;

/** The image beneath all shapes: an image element that CSS moves and scales, so that no script has to paint it. */
export class ImageLayer {
  private readonly element: HTMLImageElement;
  private sample: ImageData | null = null;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    parent: HTMLElement,
    private readonly size: Size,
  ) {
    this.element = document.createElement("img");
    this.element.className = "annotator-image";
    this.element.alt = "";
    this.element.draggable = false;
    this.element.style.width = `${size.width}px`;
    this.element.style.height = `${size.height}px`;
    parent.append(this.element);
  }

  /** Resolves when the image can be painted. Rejects when it cannot be loaded. */
  async load(address: string): Promise<void> {
    this.element.src = address;
    await this.element.decode();
    this.element.style.visibility = "visible";
    void this.takeSample(address).catch(() => undefined);
  }

  /** Sets a CSS filter, which changes only the display. */
  showFilter(filter: string): void {
    this.element.style.filter = filter;
  }

  place({ zoom, x, y }: ViewState): void {
    const transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    if (transform !== this.element.style.transform) this.move(transform);
    this.element.style.imageRendering = zoom > PIXELATED_ABOVE ? "pixelated" : "auto";
  }

  /**
   * Moves the image. `will-change` lets the browser reuse its bitmap until the image is still, then it repaints
   * sharply.
   */
  private move(transform: string): void {
    const { style } = this.element;
    style.willChange = "transform";
    style.transform = transform;
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => style.removeProperty("will-change"), REST_MS);
  }

  /**
   * Returns the mean colour of a square around a point; null if it is not known yet. `radius`: half the side length of
   * the square, in image pixels.
   */
  colorAt(point: Point, radius: number): Channels | null {
    if (!this.sample) return null;
    const { width, height, data } = this.sample;
    const scale = width / this.size.width;
    const reach = Math.max(radius * scale, 0.5);
    const left = clamp(Math.floor(point.x * scale - reach), 0, width - 1);
    const right = clamp(Math.ceil(point.x * scale + reach), left + 1, width);
    const top = clamp(Math.floor(point.y * scale - reach), 0, height - 1);
    const bottom = clamp(Math.ceil(point.y * scale + reach), top + 1, height);
    const sum: [number, number, number] = [0, 0, 0];
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) for (const c of [0, 1, 2] as const) sum[c] += data[4 * (y * width + x) + c]!;
    const count = (right - left) * (bottom - top);
    return [sum[0] / count, sum[1] / count, sum[2] / count];
  }

  /**
   * Reads a small copy from the file (in the browser's cache), because a file is decoded off the main thread and an
   * image element is not. Without the copy, stroke colours are not chosen automatically.
   */
  private async takeSample(address: string): Promise<void> {
    const file = await (await fetch(address, { cache: "force-cache", credentials: "same-origin" })).blob();
    const scale = Math.min(1, SAMPLE_SIDE / Math.max(this.size.width, this.size.height));
    const resizeWidth = Math.max(1, Math.round(this.size.width * scale));
    const resizeHeight = Math.max(1, Math.round(this.size.height * scale));
    const bitmap = await createImageBitmap(file, { resizeWidth, resizeHeight });
    const canvas = document.createElement("canvas");
    canvas.width = resizeWidth;
    canvas.height = resizeHeight;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.sample = context.getImageData(0, 0, resizeWidth, resizeHeight);
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
