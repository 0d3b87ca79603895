import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * Query client that also refreshes queries which are loading for the first time. TanStack Query ignores them, so a
 * response that is older than a change would stay on the screen.
 */
export class RefreshingClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<Key> = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const loading = filters.refetchType === "none" ? [] : this.firstLoads(filters);
    const refreshed = super.invalidateQueries(filters, options);
    // The running load ends before the next one starts: frequent changes could otherwise keep a query loading forever.
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
