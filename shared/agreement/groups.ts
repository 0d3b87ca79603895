import { type ComparedImage, extentOf, overlapOf } from "./compared";
import { meanFigure } from "./figures";
import { bestMatches, type Extents, extentsOf, type Match, SAME_OBJECT } from "./match";

/** An object: for each user the place of the annotation in the user's list, or null if the user has not found it. */
export type ObjectGroup = (number | null)[];

/**
 * Groups the annotations of several users into objects, whatever their categories. Starts with the first user's
 * annotations. Those of each further user are matched to the groups that there are, so that the sum of overlaps is the
 * largest that is possible; the overlap with a group is the mean of the overlaps with its annotations. Annotations that
 * fit no group begin a new one. Leaves out crowds.
 */
export function groupObjects(images: readonly ComparedImage[]): ObjectGroup[] {
  const extents = images.map(extentsOf);
  const groups: ObjectGroup[] = [];
  for (const [user, own] of extents.entries()) {
    const matches = bestMatches(nearMatches(groups, extents, own));
    const groupOf = new Map(matches.map(({ a, b }) => [b, groups[a]!]));
    for (const [at, extent] of own.entries()) {
      if (!extent) continue;
      const group = groupOf.get(at);
      if (group) group[user] = at;
      else groups.push(images.map((_, i) => (i === user ? at : null)));
    }
  }
  return groups;
}

function nearMatches(groups: readonly ObjectGroup[], extents: readonly Extents[], own: Extents): Match[] {
  const near: Match[] = [];
  for (const [a, group] of groups.entries())
    for (const [b, extent] of own.entries()) {
      if (!extent) continue;
      const overlaps = group.flatMap((at, user) => (at === null ? [] : overlapOf(extents[user]![at]!, extent)));
      const overlap = overlaps.reduce((sum, each) => sum + each, 0) / overlaps.length;
      if (overlap >= SAME_OBJECT) near.push({ a, b, overlap });
    }
  return near;
}

/** Returns the mean overlap of all pairs of an object's annotations; null for a single annotation. */
export function overlapOfGroup(images: readonly ComparedImage[], group: ObjectGroup): number | null {
  const extents = group.flatMap((at, user) => {
    const extent = at === null ? undefined : extentOf(images[user]!.annotations[at]!, images[user]!);
    return extent ? [extent] : [];
  });
  return meanFigure(extents.flatMap((one, i) => extents.slice(i + 1).map((other) => overlapOf(one, other))));
}
