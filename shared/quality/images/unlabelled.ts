import type { Finding } from "../finding";

/** Number of images before and after that must all have annotations. */
export const NEIGHBOURS = 3;

/** An image in the order of a folder. */
export interface ListedImage {
  id: number;
  folder: string;
  hasAnnotations: boolean;
  /** A user has marked it as done, so it is empty on purpose. */
  isDone: boolean;
}

/**
 * Finds images without annotations of which the three before and the three after in the same folder have some, so that
 * the image was probably skipped. `images` are in the order of their paths.
 */
export function findUnlabelled(images: readonly ListedImage[]): Finding[] {
  return images.flatMap(({ id, folder, hasAnnotations, isDone }, i) => {
    if (hasAnnotations || isDone) return [];
    for (let step = 1; step <= NEIGHBOURS; step++)
      for (const near of [images[i - step], images[i + step]])
        if (near?.folder !== folder || !near.hasAnnotations) return [];
    return [{ kind: "unlabelled" as const, image: id, score: 1, details: {} }];
  });
}
