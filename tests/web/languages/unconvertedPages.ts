/** Sources of pages and shared components whose texts are not in the catalogues yet. Only shrinks. */
export const UNCONVERTED_PAGES: readonly string[] = [];
