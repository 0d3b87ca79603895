import { MutationCache, QueryCache, type QueryClient } from "@tanstack/react-query";
import { isOutcomeUnknown, NoResponseError, RequestError } from "../io/http/request";
import { endSessionCalls, SessionEnded } from "../io/http/sessionCalls";
import { getConnection } from "../io/live/connection";
import { RefreshingClient } from "./cache/refreshingClient";
import { USER_KEY } from "./keys";
import { clearQueryCache, type Session } from "./session";

/**
 * Creates the cache of all server state. A 401 in any response means that the user is no longer logged in, and leads to
 * the login page, except for queries with `keepsPage`, whose page itself tells the user.
 */
export function makeQueryClient(onError: (error: unknown) => void): QueryClient {
  const noteLoggedOut = (error: unknown) => {
    if (error instanceof RequestError && error.status === 401 && client.getQueryData(USER_KEY))
      client.setQueryData(USER_KEY, null);
  };
  const client: QueryClient = new RefreshingClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof SessionEnded) return;
        if (!query.meta?.keepsPage) noteLoggedOut(error);
        // Reports only a failed refresh of data on the screen. Without data, the page itself shows the error.
        if (query.state.data !== undefined && !query.meta?.quiet) onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (error instanceof SessionEnded) return;
        noteLoggedOut(error);
        if (!mutation.meta?.quiet) onError(error);
        if (error instanceof RequestError && (isOutcomeUnknown(error) || error.code === "outcome_unknown"))
          refetchShown(client);
      },
    }),
    defaultOptions: {
      // The server may run on this machine, so send requests even if the browser reports being offline.
      queries: { networkMode: "always", staleTime: 5000, retry: isWorthRetrying },
      mutations: { networkMode: "always" },
    },
  });
  endCallsWithSession(client);
  return client;
}

/**
 * Ends the pending calls of a session and clears the loaded data when its user logs out or another user logs in, also
 * in another tab.
 */
function endCallsWithSession(client: QueryClient): void {
  let known: number | null | undefined;
  client.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== USER_KEY[0]) return;
    const session = client.getQueryData<Session | null>(USER_KEY);
    if (session === undefined) return;
    const id = session?.user.id ?? null;
    const isOther = known !== undefined && known !== id;
    known = id;
    if (!isOther) return;
    endSessionCalls();
    clearQueryCache(client);
  });
}

/**
 * Reloads the data on the screen, since a failed command may have taken effect. While disconnected, marks it as stale.
 */
function refetchShown(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== USER_KEY[0],
    refetchType: getConnection() === "connected" ? "active" : "none",
  });
}

function isWorthRetrying(count: number, error: unknown): boolean {
  if (error instanceof NoResponseError) return false;
  return count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500);
}
