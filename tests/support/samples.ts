import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Real photographs with COCO annotations, stored beside the repository and never in it. */
export interface Samples {
  /** Folder with thirty photographs. */
  images: string;
  /** Their COCO file: polygons and crowds. */
  instances: string;
  /** Another COCO file, of people with keypoints; null if it is missing. */
  keypoints: string | null;
}

const FOLDER = resolve(import.meta.dirname, "../../../shared/samples");
let isWarned = false;

/**
 * Returns the location of the samples, or null with one note on the console: tests that need them then pass without a
 * check.
 */
export function findSamples(): Samples | null {
  const images = join(FOLDER, "coco-instances", "images");
  const instances = join(FOLDER, "coco-instances", "instances.json");
  const keypoints = join(FOLDER, "coco-keypoints", "person_keypoints.json");
  if (existsSync(images) && existsSync(instances))
    return { images, instances, keypoints: existsSync(keypoints) ? keypoints : null };
  if (!isWarned) console.warn("NOT CHECKED with real photographs: ../shared/samples is missing beside the repository.");
  isWarned = true;
  return null;
}
