/** Returns the application's path of an image in the annotator. `search` is the list's filter as URL parameters. */
export const annotatorPath = (imageId: number, search: string): string =>
  `/annotate/${imageId}${search && `?${search}`}`;
