/** Number of images that the strip can scroll through. Browsers limit the width of elements to some million pixels. */
const MAX_IMAGES = 100_000;
/** Number of images beside the visible images that are rendered too, so that slow scrolling finds them loaded. */
const BESIDE = 4;

/** Returns the part of a list that the strip scrolls through: all of it, or the neighbourhood of the open image. */
export function stripWindow(before: number, total: number): { start: number; count: number } {
  const start = Math.max(0, Math.min(before - MAX_IMAGES / 2, total - MAX_IMAGES));
  // In steps, so that the strip does not jump with every image.
  const stepped = start - (start % (MAX_IMAGES / 4));
  return { start: stepped, count: Math.min(MAX_IMAGES, total - stepped) };
}

/** Returns the images in view, from `from` up to, but not including, `to`. Lengths are CSS pixels. */
export function shownRange({ left, width }: { left: number; width: number }, step: number, count: number) {
  const from = Math.max(0, Math.min(count, Math.floor(left / step)) - BESIDE);
  return { from, to: Math.max(from, Math.min(count, Math.ceil((left + width) / step) + BESIDE)) };
}

/** Returns the pieces of a list that a range lies in, each with its part of the range. `size`: images of a piece. */
export function piecesOf(from: number, to: number, size: number): { index: number; from: number; to: number }[] {
  const first = Math.floor(from / size);
  return Array.from({ length: Math.max(0, Math.ceil(to / size) - first) }, (_, at) => {
    const index = first + at;
    return { index, from: Math.max(from, index * size), to: Math.min(to, (index + 1) * size) };
  });
}
