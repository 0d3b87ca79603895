import type { Pagination } from "./outputs";

/**
 * Returns a page's range in a list of `total` items. A page beyond the end becomes the last; an empty list has one
 * page.
 */
export function pageOf(wanted: number, size: number, total: number): Pagination {
  const pages = Math.max(1, Math.ceil(total / size));
  const page = Math.min(wanted, pages);
  const start = (page - 1) * size;
  const end = Math.min(start + size, total);
  return { start, end, pages, page, total, showing: end - start };
}
