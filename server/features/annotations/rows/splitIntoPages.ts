/** Limits of a page of rows; a single row may have more bytes. */
export interface PageLimits {
  pageRows: number;
  pageBytes: number;
}

/** Cuts a list of rows into pages that are read one after another. Returns the ids of each, all of them, in their order. */
export function splitIntoPages(
  rows: readonly { id: number; bytes: number }[],
  { pageRows, pageBytes }: PageLimits,
): number[][] {
  const pages: number[][] = [];
  let page: number[] = [];
  let size = 0;
  for (const { id, bytes } of rows) {
    if (page.length === 0 || page.length === pageRows || size + bytes > pageBytes) {
      page = [];
      pages.push(page);
      size = 0;
    }
    page.push(id);
    size += bytes;
  }
  return pages;
}
