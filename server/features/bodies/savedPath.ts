import { MAX_COORDINATES } from "../../../shared/constants";
import type { Ring } from "../../../shared/entities/shape";
import { centredPaths, PaperJsonError, placedPath, TooManyCoordinates } from "../../../shared/geometry/paperJson";

/**
 * The paths of an outline sent by an older client, with the origin in the centre of the image, in a form that is cheap
 * to pass between threads; or the reason why they cannot be read.
 */
export type SavedPath =
  | { coordinates: Float64Array<ArrayBuffer>; lengths: Uint32Array<ArrayBuffer> }
  | { problem: string };

/**
 * Reads an outline's JSON of paper.js. Beyond MAX_COORDINATES, the limit of an annotation, returns a problem; beyond a
 * lower `max`, throws TooManyCoordinates.
 */
export function readPath(json: unknown, max: number): SavedPath {
  try {
    const paths = centredPaths(json, Math.min(max, MAX_COORDINATES));
    return { coordinates: Float64Array.from(paths.flat()), lengths: Uint32Array.from(paths, (path) => path.length) };
  } catch (error) {
    if (!(error instanceof PaperJsonError)) throw error;
    if (error instanceof TooManyCoordinates && max < MAX_COORDINATES) throw error;
    return { problem: error.message };
  }
}

interface Size {
  width: number;
  height: number;
}

const placed = new WeakMap<SavedPath, { size: Size; paths: readonly Ring[] }>();

/** Thrown for a path that cannot be read. */
export class UnreadablePath extends Error {}

/**
 * Returns the paths in image pixels, the same list object each time. Throws UnreadablePath if they could not be read.
 */
export function pathsIn(path: SavedPath, { width, height }: Size): readonly Ring[] {
  if ("problem" in path) throw new UnreadablePath(path.problem);
  const known = placed.get(path);
  if (known?.size.width === width && known.size.height === height) return known.paths;
  let at = 0;
  const paths = Array.from(path.lengths, (length) => {
    const ring = placedPath(path.coordinates.subarray(at, at + length), width, height);
    at += length;
    return ring;
  });
  placed.set(path, { size: { width, height }, paths });
  return paths;
}

/** Frees the memory of the paths in image pixels. `pathsIn` converts them again. */
export const forgetPlaced = (path: SavedPath): void => void placed.delete(path);
