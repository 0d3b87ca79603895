import { keepPreviousData } from "@tanstack/react-query";
import { currentInstallation } from "../../io/http/installation";
import { type Shown, useQueryState } from "../../queries/queryState";
import { type FoundImage, findSameImages, imageOfNumber } from "../../sync/review/findImage";
import type { ReviewGroup } from "../../sync/review/groups";

/** An image that a group's changes may belong to. `isSame`: same name; otherwise only the id is the same. */
export interface Target {
  image: FoundImage;
  isSame: boolean;
}

/** Returns the images of this installation that groups seem to belong to, by the groups' keys. */
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
 * Returns where a group seems to belong, `look` undefined: nowhere here. Undefined: not known, also where the images
 * shown are those of other groups, and the answer for this one is due.
 */
export function targetOf(
  shown: Shown<ReadonlyMap<string, Target>> | undefined,
  key: string,
): Shown<Target | undefined> | undefined {
  if (!shown) return undefined;
  const data = shown.data.get(key);
  return shown.isStale && !data ? undefined : { data, isStale: shown.isStale };
}
