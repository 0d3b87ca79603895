/**
 * Returns category ids in the order of the digit keys: the dataset's categories, then those that only this image has,
 * the oldest first in each group. The image's annotations do not matter, so a digit means the same on every image of a
 * dataset.
 */
export function categoryNumbers(categories: readonly { id: number }[], ofDataset: readonly number[]): number[] {
  const listed = new Set(ofDataset);
  const ids = categories.map(({ id }) => id).sort((a, b) => a - b);
  return [...ids.filter((id) => listed.has(id)), ...ids.filter((id) => !listed.has(id))];
}
