/** Width and height of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}
