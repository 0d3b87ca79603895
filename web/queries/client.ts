import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isOutcomeUnknown, RequestError, UnansweredError } from "../io/http/request";
import { endSessionCalls, SessionEnded } from "../io/http/sessionCalls";
import { getConnection } from "../io/live/connection";
import { USER_KEY } from "./keys";
import type { Session } from "./session";

/** Server state of the whole application. A 401 anywhere means that nobody is logged in any more. */
export function makeQueryClient(onError: (error: unknown) => void): QueryClient {
  const noteLoggedOut = (error: unknown) => {
    if (error instanceof RequestError && error.status === 401 && client.getQueryData(USER_KEY))
      client.setQueryData(USER_KEY, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof SessionEnded) return;
        noteLoggedOut(error);
        // A refresh behind data that is on the screen; without data the page itself shows the error.
        if (query.state.data !== undefined && !query.meta?.quiet) onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (error instanceof SessionEnded) return;
        noteLoggedOut(error);
        if (!mutation.meta?.quiet) onError(error);
        if (error instanceof RequestError && (isOutcomeUnknown(error) || error.code === "outcome_unknown"))
          lookAgain(client);
      },
    }),
    defaultOptions: {
      // The server may well be on this machine: the browser's idea of "offline" is no reason not to ask.
      queries: { networkMode: "always", staleTime: 5000, retry: isWorthRetrying },
      mutations: { networkMode: "always" },
    },
  });
  endCallsWithSession(client);
  return client;
}

/** Whoever leaves, comes, or is found to be somebody else: calls of the one before end. */
function endCallsWithSession(client: QueryClient): void {
  let known: number | null | undefined;
  client.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== USER_KEY[0]) return;
    const session = client.getQueryData<Session | null>(USER_KEY);
    if (session === undefined) return;
    const id = session?.user.id ?? null;
    if (known !== undefined && known !== id) endSessionCalls();
    known = id;
  });
}

/** A command may have been done though it failed: what is shown is asked for again, once the server can be reached. */
function lookAgain(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== USER_KEY[0],
    refetchType: getConnection() === "connected" ? "active" : "none",
  });
}

function isWorthRetrying(count: number, error: unknown): boolean {
  if (error instanceof UnansweredError) return false;
  return count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500);
}
