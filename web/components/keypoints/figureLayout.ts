import type { KeypointRow } from "./keypointRows";

/** A place on the figure, 0 to 1 from the top left. */
export type Place = readonly [x: number, y: number];

/** Places of the parts of a body's left half, which is on the right of a figure that faces the viewer. */
const PARTS: Record<string, Place> = {
  nose: [0.5, 0.1],
  eye: [0.545, 0.07],
  ear: [0.6, 0.095],
  mouth: [0.53, 0.14],
  head: [0.5, 0.03],
  chin: [0.5, 0.165],
  neck: [0.5, 0.2],
  chest: [0.5, 0.31],
  spine: [0.5, 0.42],
  pelvis: [0.5, 0.54],
  shoulder: [0.66, 0.24],
  elbow: [0.76, 0.39],
  wrist: [0.81, 0.54],
  hand: [0.83, 0.6],
  hip: [0.59, 0.55],
  knee: [0.62, 0.75],
  ankle: [0.63, 0.93],
  foot: [0.67, 0.97],
};

const LEFT = new Set(["left", "l"]);
const RIGHT = new Set(["right", "r"]);
/** Share of the labels that must name parts of a body, so that the others do not make a jumble of it. */
const BODY_FROM = 0.6;

/**
 * Returns a place for each label, by row key: on a body, if most labels name its parts as COCO does ("left_knee"), with
 * the others in a column beside it; otherwise on a circle, in the order of the rows from the top.
 */
export function figureLayout(rows: readonly Pick<KeypointRow, "key" | "label">[]): Map<number, Place> {
  const places = rows.map(({ label }) => placeOnBody(label));
  const named = new Set(places.flatMap((place) => (place ? [place.join()] : [])));
  if (named.size < 3 || named.size < rows.length * BODY_FROM) return circle(rows);
  const others = rows.filter((_, i) => isTaken(places, i));
  const beside = (key: number): Place => {
    const index = others.findIndex((row) => row.key === key);
    return [0.08, (index + 1) / (others.length + 1)];
  };
  return new Map(rows.map(({ key }, i) => [key, isTaken(places, i) ? beside(key) : places[i]!]));
}

/** Returns true if a label has no place of its own on the body. */
function isTaken(places: readonly (Place | undefined)[], index: number): boolean {
  const place = places[index]?.join();
  return place === undefined || places.findIndex((other) => other?.join() === place) < index;
}

function placeOnBody(label: string): Place | undefined {
  const words = label
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const part = words.find((word) => Object.hasOwn(PARTS, word));
  if (!part) return undefined;
  const [x, y] = PARTS[part]!;
  if (words.some((word) => LEFT.has(word))) return [x, y];
  return words.some((word) => RIGHT.has(word)) ? [1 - x, y] : x === 0.5 ? [x, y] : undefined;
}

function circle(rows: readonly Pick<KeypointRow, "key">[]): Map<number, Place> {
  return new Map(
    rows.map(({ key }, i) => {
      const angle = (2 * Math.PI * i) / rows.length;
      return [key, [0.5 + 0.42 * Math.sin(angle), 0.5 - 0.42 * Math.cos(angle)]];
    }),
  );
}
