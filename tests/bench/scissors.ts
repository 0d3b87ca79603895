import { LiveWire, type Place } from "../../shared/scissors/liveWire";
import { pixelsOf } from "../../shared/wand/pixels";
import { texturedImage } from "../support/texturedImage";
import type { Figure } from "./figures";
import { inMs, median, milliseconds } from "./sideBySide";

const SIZE = { width: 4000, height: 3000 };
const STEPS = 120;
const GOAL_MS = 16;
/**
 * Image pixels per screen pixel in a fitted view, and distance in image pixels within which the end of a line moves to
 * a border.
 */
const DETAIL = 3.5;
const REACH = 6 * DETAIL;

/**
 * Measures the line of the scissors for each position of a pointer that goes along an object and then across the whole
 * image at 12 megapixels in a fitted view, from three anchors. The first lines warm up the compiler, on another part of
 * the image.
 */
export function scissors(): Figure {
  const { width, height } = SIZE;
  const image = texturedImage(width, height, 0.1);
  const wire = new LiveWire(pixelsOf(image.data, width, height));
  for (let i = 0; i < STEPS; i++) wire.line([200, 2800], [200 + 8 * i, 2800 - 3 * i], REACH, DETAIL);
  const radius = Math.sqrt((0.1 * width * height) / Math.PI);
  const times = [0, 1, 2].flatMap((turn) => {
    const around = (i: number): Place => {
      const angle = 2 * turn + i / 40;
      return [width * 0.48 + radius * Math.cos(angle), height * 0.52 + radius * Math.sin(angle)];
    };
    const anchor = wire.place(...around(0), REACH);
    const along = Array.from({ length: STEPS }, (_, i) => around(i));
    const across = Array.from({ length: STEPS }, (_, i): Place => [(i * width) / STEPS, (i * height) / STEPS]);
    return [...along, ...across].map((to) => milliseconds(() => wire.line(anchor, to, REACH, DETAIL)));
  });
  const [typical, longest] = [median(times), Math.max(...times)];
  const late = times.filter((time) => time > GOAL_MS).length;
  return {
    what: "Scissors, 12 MP: line to the pointer, at each of 720 moves up to across the image",
    ours: `median ${inMs(typical)}, longest ${inMs(longest)}, ${late} above ${GOAL_MS} ms`,
    peer: "-",
    ratio: null,
    goal: `99 % of moves under ${GOAL_MS} ms`,
    met: late <= times.length / 100,
  };
}
