/** The dataset page's tabs, in their default order. */
export const TABS = ["images", "exports", "members", "statistics", "quality", "consensus", "settings"] as const;
export type TabName = (typeof TABS)[number];

export const isTab = (value: unknown): value is TabName => TABS.some((tab) => tab === value);

/** Returns a valid tab order from a remembered one, which may come from a version with other tabs. */
export function orderOf(remembered: unknown): TabName[] {
  const known = Array.isArray(remembered) ? [...new Set(remembered.filter(isTab))] : [];
  return [...known, ...TABS.filter((tab) => !known.includes(tab))];
}

/** Returns the order with a tab moved by some positions, at most to either end. */
export function moveTab(order: readonly TabName[], tab: TabName, by: number): TabName[] {
  const rest = order.filter((other) => other !== tab);
  const at = Math.max(0, Math.min(rest.length, order.indexOf(tab) + by));
  return [...rest.slice(0, at), tab, ...rest.slice(at)];
}
