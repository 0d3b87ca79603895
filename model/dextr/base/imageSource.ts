/** A rectangle in image pixels from the image's top left corner: `right` and `bottom` are where it ends. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Pixels of a part of an image: red, green, blue, alpha (not premultiplied), row by row from its top left corner. */
export interface Part {
  data: Uint8Array | Uint8ClampedArray;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The upright image as the recipe sees it: a port, behind which browser and server each decode in their way. */
export interface ImageSource {
  width: number;
  height: number;
  /**
   * The pixels of the box (whole numbers, inside the image, never empty) at full resolution. More than the box may
   * be answered. Rejects where the image cannot be read.
   */
  read(box: Box): Promise<Part>;
}
