import { keepPreviousData } from "@tanstack/react-query";
import { currentInstallation } from "../../io/http/pageOwner";
import { type Shown, useQueryState } from "../../queries/queryState";
import { type FoundImage, findSameImages, imageOfNumber } from "../../sync/review/findImage";
import type { ReviewGroup } from "../../sync/review/groups";

/** An image of this installation that a group's changes may belong to. */
export interface Target {
  image: FoundImage;
  /** True if dataset, path and size match; false if only the id does. */
  isSame: boolean;
}

/** Returns the images of this installation that groups may belong to, by group key. */
export const useTargets = (groups: readonly ReviewGroup[]) =>
  useQueryState({
    queryKey: ["review targets", currentInstallation(), groups.map(({ key }) => key)],
    queryFn: ({ signal }) => targetsOf(groups, signal),
    placeholderData: keepPreviousData,
  });

async function targetsOf(groups: readonly ReviewGroup[], signal: AbortSignal): Promise<Map<string, Target>> {
  const places = groups.flatMap(({ place }) => place ?? []);
  const same = await findSameImages(places, signal);
  const targets = new Map<string, Target>();
  for (const { key, imageId, place } of groups) {
    const image = place ? same.get(place) : await imageOfNumber(imageId, signal);
    if (image) targets.set(key, { image, isSame: place !== undefined });
  }
  return targets;
}

/**
 * Returns the target of a group; its `data` is undefined if no image here matches. Returns undefined while that is
 * unknown, e.g. if `shown` holds the targets of other groups and those of this one are still loading.
 */
export function targetOf(
  shown: Shown<ReadonlyMap<string, Target>> | undefined,
  key: string,
): Shown<Target | undefined> | undefined {
  if (!shown) return undefined;
  const data = shown.data.get(key);
  return shown.isStale && !data ? undefined : { data, isStale: shown.isStale };
}
