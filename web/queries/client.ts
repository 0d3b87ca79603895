import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { RequestError } from "../io/request";
import { USER_KEY } from "./keys";

/** Server state of the whole application. A 401 anywhere means that nobody is logged in any more. */
export function makeQueryClient(onError: (error: unknown) => void): QueryClient {
  const noteLoggedOut = (error: unknown) => {
    if (error instanceof RequestError && error.status === 401 && client.getQueryData(USER_KEY))
      client.setQueryData(USER_KEY, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        noteLoggedOut(error);
        // A refresh behind data that is on the screen; without data the page itself shows the error.
        if (query.state.data !== undefined && !query.meta?.quiet) onError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        noteLoggedOut(error);
        if (!mutation.meta?.quiet) onError(error);
      },
    }),
    defaultOptions: {
      // The server may well be on this machine: the browser's idea of "offline" is no reason not to ask.
      queries: { networkMode: "always", staleTime: 5000, retry: isWorthRetrying },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}

function isWorthRetrying(count: number, error: unknown): boolean {
  return count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500);
}
