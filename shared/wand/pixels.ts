/** The pixels of an upright image, row by row: one integer each, whose lowest three bytes are the channels. */
export interface Pixels {
  width: number;
  height: number;
  colors: Uint32Array;
}

/** Returns a view of a canvas's bytes (red, green, blue, alpha). The machine must be little-endian. */
export function pixelsOf(bytes: Uint8ClampedArray, width: number, height: number): Pixels {
  return { width, height, colors: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height) };
}

/** A rectangle of pixels: columns [left, right), rows [top, bottom). */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boxAround(a: PixelBox | null, b: PixelBox): PixelBox {
  if (!a) return b;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
