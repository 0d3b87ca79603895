import type { Size } from "../view/view";

/**
 * Clears a canvas that covers the stage, and gives it a size in CSS pixels. Returns its context without a transform;
 * null if the browser cannot paint. `ratio`: device pixels per CSS pixel.
 */
export function clearCanvas(canvas: HTMLCanvasElement, size: Size, ratio: number): CanvasRenderingContext2D | null {
  const context = canvas.getContext("2d");
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);
  context?.setTransform(1, 0, 0, 1, 0, 0);
  if (canvas.width === width && canvas.height === height) context?.clearRect(0, 0, width, height);
  else {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
  }
  return context;
}
