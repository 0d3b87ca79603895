import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * Query client that also refreshes queries which are loading for the first time. TanStack Query leaves those alone, so
 * that a response sent before a change would be shown after it, and for good.
 */
export class RefreshingClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const loading = filters.refetchType === "none" ? [] : this.firstLoads(filters);
    const refreshed = super.invalidateQueries(filters, options);
    // They are loaded once more instead of anew: frequent changes could otherwise keep them loading for ever.
    const again = loading.map(async (query) => {
      await query.fetch().catch(() => undefined);
      await super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options);
    });
    await Promise.all([refreshed, ...again]);
  }

  private firstLoads<Key extends QueryKey>(filters: InvalidateQueryFilters<Key>) {
    const fetching = this.getQueryCache().findAll({ ...filters, type: "active", fetchStatus: "fetching" });
    return fetching.filter(({ state }) => state.data === undefined);
  }
}
