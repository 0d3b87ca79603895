import type { WandOptions } from "../../../shared/wand/magicWand";
import { hasDied } from "./workerThread";

/** A point of a magic wand gesture, in image pixels. */
export interface Region {
  x: number;
  y: number;
  options: WandOptions;
}

export interface RegionPorts<Outline> {
  /** Adds a region to the gesture. Returns the outline of all its regions. */
  grow(gesture: number, region: Region): Promise<Outline>;
  /** Returns true if the worker has been replaced since the last call and knows nothing of the gesture. */
  isNewWorker(): boolean;
}

/**
 * Returns a `grow` that survives the death of the worker during a gesture: sends the gesture's earlier regions to the
 * new worker first. Rejects if the new worker dies too. Supports one call at a time.
 */
export function rememberedRegions<Outline>({ grow, isNewWorker }: RegionPorts<Outline>): RegionPorts<Outline>["grow"] {
  let current = Number.NaN;
  let grown: Region[] = [];

  const growAll = async (gesture: number, region: Region) => {
    if (isNewWorker()) for (const earlier of grown) await grow(gesture, earlier);
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
