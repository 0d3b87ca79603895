import {
  type DefaultError,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";

/**
 * State of a query. Only `loaded` has data, so code must check the state before it reads it: missing data can never
 * be mistaken for an empty result, or the previous query's data for this one's.
 */
export type QueryState<T> = Loading<T> | Failed | Loaded<T>;

interface Loading<T> extends Common {
  state: "loading";
  previous: Previous<T> | undefined;
}

export interface Failed extends Common {
  state: "failed";
  error: Error;
}

export interface Loaded<T> extends Common {
  state: "loaded";
  data: T;
  /** Error of a failed refresh; `data` is still the result before that refresh. */
  error: Error | null;
}

interface Common {
  /** True while data load, also during a refresh; false for a disabled query (`enabled: false`). */
  isFetching: boolean;
  /** Time of the last successful fetch; changes with each one, even if the data did not change. */
  updatedAt: number;
  /** Fetches again. */
  retry: () => unknown;
}

/** Result of the previous query (another page or filter), shown while the current one loads. Never act on it. */
interface Previous<T> {
  readonly data: T;
}

/** Data that a page displays. Commands must use the data of a loaded query instead. */
export interface Shown<T> extends Previous<T> {
  /** True if this is the previous query's data, shown until the current one has loaded. */
  readonly isStale: boolean;
}

/** Works like `useQuery`, but separates the states. Data from `placeholderData` become `previous`. */
export const useQueryState = <Data, Result = Data, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Result, Key>,
): QueryState<Result> => stateOf(useQuery(options));

function stateOf<T>(result: UseQueryResult<T>): QueryState<T> {
  const { data, error, isPlaceholderData, isFetching, dataUpdatedAt: updatedAt, refetch } = result;
  const common = { isFetching, updatedAt, retry: () => refetch() };
  if (data === undefined && error) return { state: "failed", error, ...common };
  if (data === undefined) return { state: "loading", previous: undefined, ...common };
  if (isPlaceholderData) return { state: "loading", previous: { data }, ...common };
  return { state: "loaded", data, error, ...common };
}

/** Returns the data to display, current or previous; undefined if there are none yet. */
export function shownOf<T>(query: QueryState<T>): Shown<T> | undefined {
  if (query.state === "loaded") return { data: query.data, isStale: false };
  return query.state === "loading" && query.previous ? { ...query.previous, isStale: true } : undefined;
}

/**
 * Returns the query as loading, with its data as `previous`: the user has chosen another query that is not sent yet.
 */
export function asOutdated<T>(query: QueryState<T>): QueryState<T> {
  if (query.state !== "loaded") return query;
  const { data, error: _error, ...common } = query;
  return { ...common, state: "loading", previous: { data } };
}
