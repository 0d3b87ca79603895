import { same } from "../../../shared/edits/same";
import { type PackedRings, packRings, unpackRings } from "../../../shared/geometry/packed";
import type { SceneRow } from "./records";

/**
 * A scene as it is stored: its annotations as JSON without outlines, and the outlines as lists of numbers. The browser
 * copies text and numbers many times faster than thousands of objects, and each stored edit rewrites a scene.
 */
export interface PackedScene extends Omit<SceneRow, "annotations"> {
  /** JSON of the annotations. `rings` is the number of polygons, or null for an annotation without an outline. */
  text: string;
  outlines: PackedRings;
}

/** A scene in the copy. Scenes stored by earlier versions contain the annotations themselves. */
export type StoredScene = SceneRow | PackedScene;

export function packScene({ annotations, ...row }: SceneRow): PackedScene {
  const outlines = packRings(annotations.flatMap(({ rings }) => rings ?? []));
  return { ...row, text: JSON.stringify(annotations.map(withCount)), outlines };
}

export function unpackScene(stored: StoredScene): SceneRow {
  if (!("text" in stored)) return stored;
  const { text, outlines, ...row } = stored;
  const polygons = unpackRings(outlines);
  let from = 0;
  const counted = JSON.parse(text) as ReturnType<typeof withCount>[];
  return {
    ...row,
    annotations: counted.map((annotation) => {
      const { rings: count, ...rest } = annotation;
      if (count === null) return { ...rest, rings: null };
      from += count;
      return { ...rest, rings: polygons.slice(from - count, from) };
    }),
  };
}

/** Returns true if two stored scenes are equal. Packed scenes are compared without unpacking their outlines. */
export function isSameStored(a: StoredScene, b: StoredScene): boolean {
  if (!("text" in a && "text" in b)) return same(a, b);
  const [{ outlines, ...rest }, { outlines: others, ...otherRest }] = [a, b];
  return same(rest, otherRest) && NUMBERS.every((name) => areEqual(outlines[name], others[name]));
}

const NUMBERS = ["coordinates", "ringLengths", "polygonLengths"] as const satisfies (keyof PackedRings)[];

function areEqual(a: Float64Array | Uint32Array, b: Float64Array | Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const withCount = (annotation: SceneRow["annotations"][number]) => ({
  ...annotation,
  rings: annotation.rings?.length ?? null,
});
