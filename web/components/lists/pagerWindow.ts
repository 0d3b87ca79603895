import { PAGER_WINDOW } from "../../../shared/constants";

/** Returns the page numbers that a pager shows, 1-based: a window of 11 around `page`, within 1 to `pages`. */
export function pagerWindow(page: number, pages: number, size: number = PAGER_WINDOW): number[] {
  const length = Math.min(size, pages);
  const first = Math.max(1, Math.min(page - Math.floor(size / 2), pages - length + 1));
  return Array.from({ length }, (_, index) => first + index);
}
