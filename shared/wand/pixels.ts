/** The pixels of an upright image, row by row, a whole number for each, whose lowest three bytes are its channels. */
export interface Pixels {
  width: number;
  height: number;
  colors: Uint32Array;
}

/** The same memory as a canvas gives it (red, green, blue, alpha as bytes, on a machine that has the lowest byte first). */
export function pixelsOf(bytes: Uint8ClampedArray, width: number, height: number): Pixels {
  return { width, height, colors: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height) };
}

/** A rectangle of pixels: columns from `left` to before `right`, rows from `top` to before `bottom`. */
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
