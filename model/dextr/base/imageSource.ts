/** A rectangle in image pixels from the image's top left corner; `right` and `bottom` are exclusive. */
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

/** Port to the upright image, which browser and server each decode in their own way. */
export interface ImageSource {
  width: number;
  height: number;
  /**
   * Returns the pixels of the box (whole numbers, inside the image, never empty) at full resolution. The result may be
   * larger than the box. Rejects if the image cannot be read.
   */
  read(box: Box): Promise<Part>;
}
