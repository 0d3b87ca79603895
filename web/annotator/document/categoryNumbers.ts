/**
 * Ids of categories as the digits count them: the dataset's own, then those that only this image has, each the oldest
 * first. What is used on the image changes nothing, so that a digit means the same on every image of a dataset.
 */
export function categoryNumbers(categories: readonly { id: number }[], ofDataset: readonly number[]): number[] {
  const listed = new Set(ofDataset);
  const ids = categories.map(({ id }) => id).sort((a, b) => a - b);
  return [...ids.filter((id) => listed.has(id)), ...ids.filter((id) => !listed.has(id))];
}
