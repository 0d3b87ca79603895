import type { WandOptions } from "../../../shared/wand/magicWand";
import { hasDied } from "./workerThread";

/** A place of a gesture of the magic wand, in image pixels. */
export interface Region {
  x: number;
  y: number;
  options: WandOptions;
}

export interface RegionPorts<Outline> {
  /** Adds a region to those of the gesture. Returns the outline of all of them. */
  grow(gesture: number, region: Region): Promise<Outline>;
  /** Returns true where another worker is asked than the last time, which knows nothing of the gesture. */
  isForgotten(): boolean;
}

/**
 * Returns `grow` for a worker that may die in the middle of a gesture: the one in its place gets the gesture's earlier
 * regions first, so that none is lost. Rejects where that one dies too. One call at a time.
 */
export function rememberedRegions<Outline>({ grow, isForgotten }: RegionPorts<Outline>): RegionPorts<Outline>["grow"] {
  let current = Number.NaN;
  let grown: Region[] = [];

  const growAll = async (gesture: number, region: Region) => {
    if (isForgotten()) for (const earlier of grown) await grow(gesture, earlier);
    return grow(gesture, region);
  };

  return async (gesture, region) => {
    if (gesture !== current) grown = [];
    current = gesture;
    const outline = await growAll(gesture, region).catch((error: unknown) => {
      if (!hasDied(error)) throw error;
      return growAll(gesture, region);
    });
    grown.push(region);
    return outline;
  };
}
