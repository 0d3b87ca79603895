import { MAX_IMAGE_WIDTH, THUMBNAIL_WIDTH } from "../../../../shared/constants";

interface Size {
  width: number;
  height: number;
}

/** A rectangle in image pixels. */
export interface Rectangle extends Size {
  x: number;
  y: number;
}

/** Size of a picture, in CSS pixels. Wide windows have somewhat wider ones. */
const PICTURE: Size = { width: 260, height: 160 };
/** Margin on each side, as a fraction of the longer side of the cropped place. */
const MARGIN = 0.5;
/** Space around a box that reaches beyond the image, as a fraction of its longer side. */
const SPACE = 0.2;
/** Largest enlargement of the pixels that the server sends. */
const MAX_ENLARGEMENT = 2;
/** Widths that are requested. The server keeps the first two. */
const WIDTHS = [THUMBNAIL_WIDTH, 2 * THUMBNAIL_WIDTH, 4 * THUMBNAIL_WIDTH, MAX_IMAGE_WIDTH];

/**
 * Returns the part of an image around boxes that a picture shows; the whole image if there are no boxes. The part has a
 * margin, and is so large that the picture is not blurred.
 */
export function cropOf(image: Size, boxes: readonly Rectangle[]): Rectangle {
  const whole = { x: 0, y: 0, ...image };
  const place = unionOf(boxes.map((box) => keptNear(image, box)));
  if (!place) return whole;
  const margin = MARGIN * Math.max(place.width, place.height);
  const smallest = 1 / (MAX_ENLARGEMENT * sentScale(image));
  const all = extentOf(image, boxes);
  const width = Math.min(Math.max(place.width + 2 * margin, PICTURE.width * smallest), all.width);
  const height = Math.min(Math.max(place.height + 2 * margin, PICTURE.height * smallest), all.height);
  if (width === all.width && height === all.height) return all;
  const [x, y] = [place.x + place.width / 2 - width / 2, place.y + place.height / 2 - height / 2];
  return { x, y, width, height };
}

/** Returns the image together with its boxes that reach beyond it, and some space around these. */
export function extentOf(image: Size, boxes: readonly Rectangle[]): Rectangle {
  const whole = { x: 0, y: 0, ...image };
  const beyond = boxes.map((box) => keptNear(image, box)).filter((box) => !sameRectangle(unionOf([whole, box]), whole));
  return unionOf([whole, ...beyond.map((box) => widened(box, SPACE * Math.max(box.width, box.height)))]) ?? whole;
}

/** Returns the width to request of the server, so that a picture of this part is sharp on this screen. */
export function widthFor(image: Size, { width, height }: Rectangle, pixelRatio: number): number {
  const scale = Math.min(PICTURE.width / width, PICTURE.height / height);
  const wanted = image.width * Math.min(scale * Math.min(pixelRatio, MAX_ENLARGEMENT), sentScale(image));
  return WIDTHS.find((each) => each >= wanted) ?? MAX_IMAGE_WIDTH;
}

/** Returns the scale of the largest picture that the server sends. */
const sentScale = ({ width, height }: Size): number => Math.min(1, MAX_IMAGE_WIDTH / Math.max(width, height));

const sameRectangle = (a: Rectangle | undefined, b: Rectangle): boolean =>
  a?.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

const widened = ({ x, y, width, height }: Rectangle, by: number): Rectangle => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** Cuts off what lies far from the image. */
function keptNear(image: Size, box: Rectangle): Rectangle {
  const [x, width] = cut(box.x, box.width, image.width);
  const [y, height] = cut(box.y, box.height, image.height);
  return { x, y, width, height };
}

function cut(start: number, length: number, size: number): [start: number, length: number] {
  const limited = (value: number) => Math.min(Math.max(value, -size / 2), size * 1.5);
  const from = limited(start);
  return [from, limited(start + Math.max(length, 0)) - from];
}

function unionOf(all: readonly Rectangle[]): Rectangle | undefined {
  if (all.length === 0) return undefined;
  const x = Math.min(...all.map((each) => each.x));
  const y = Math.min(...all.map((each) => each.y));
  const width = Math.max(...all.map((each) => each.x + each.width)) - x;
  const height = Math.max(...all.map((each) => each.y + each.height)) - y;
  return { x, y, width, height };
}
