/** A rectangle on the screen, in CSS pixels. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

const GAP = 10;
/** Height of the lines below the picture. */
const TEXT = 76;

/**
 * Returns the place of a preview: beside the card, on the side with more room, as large as fits there, but at most
 * `most` pixels wide and high, and never larger than twice the image. Keeps the image's aspect ratio.
 */
export function placeOf(card: Box, image: Size, screen: Size, most: number): Box {
  const right = screen.width - (card.left + card.width) - 2 * GAP;
  const left = card.left - 2 * GAP;
  const room = { width: Math.max(right, left), height: screen.height - 2 * GAP - TEXT };
  const scale = Math.min(Math.min(room.width, most) / image.width, Math.min(room.height, most) / image.height, 2);
  const width = Math.round(image.width * scale);
  const height = Math.round(image.height * scale);
  const middle = card.top + card.height / 2 - height / 2;
  return {
    left: right >= left ? card.left + card.width + GAP : card.left - GAP - width,
    top: Math.round(Math.max(GAP, Math.min(middle, screen.height - height - TEXT - GAP))),
    width,
    height,
  };
}
