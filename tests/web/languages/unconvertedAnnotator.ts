/** Sources of the annotator whose texts are not in the catalogues yet. Only shrinks. */
export const UNCONVERTED_ANNOTATOR: readonly string[] = [];
