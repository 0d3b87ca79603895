import { type RefObject, useEffect, useRef } from "react";

/**
 * Returns a ref for a list of rows, each with one `data-row-start` input. When a row is added, its input gets the
 * focus. `count`: number of rows.
 */
export function useFocusNewRow(count: number): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const starts = list.current?.querySelectorAll<HTMLElement>("[data-row-start]");
    if (count > before.current) [...(starts ?? [])].at(-1)?.focus();
    before.current = count;
  }, [count]);
  return list;
}
