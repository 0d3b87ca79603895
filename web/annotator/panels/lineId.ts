/** The page's id of a line of the tree: of an annotation by its uuid, of a category by its number. */
export const lineId = (of: string | number): string => `line-${of}`;
