import {
  type DefaultError,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";

/**
 * The server's answer to a question, in three states. Data are in `here` alone: to read them one has to look at the
 * state, so that what has not arrived is never taken for nothing, nor the answer to another question for this one.
 */
export type Answer<T> = Loading<T> | Failed | Here<T>;

interface Loading<T> extends Asked {
  state: "loading";
  previous: Previous<T> | undefined;
}

interface Failed extends Asked {
  state: "failed";
  error: Error;
}

export interface Here<T> extends Asked {
  state: "here";
  data: T;
  /** Of a refresh that failed; the data are those from before. */
  error: Error | null;
}

interface Asked {
  /** True also while data that are here are refreshed; false of a question that is not asked (`enabled: false`). */
  isFetching: boolean;
  /** Time at which the data came; changes with each refresh, also with one that changed nothing. */
  updatedAt: number;
  /** Asks again. */
  retry: () => unknown;
}

/** Data of the question before (another page, another filter), shown until the answer is there. Never to be acted on. */
interface Previous<T> {
  readonly look: T;
}

/** Data that a page shows. To look at: a command takes the data of an answer that is here. */
export interface Shown<T> extends Previous<T> {
  /** True if these are data of the question before, and the answer is due. */
  readonly isDue: boolean;
}

/** As `useQuery`, with the states kept apart. Data of `placeholderData` are the answer's `previous`. */
export const useAnswer = <Data, Result = Data, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Result, Key>,
): Answer<Result> => answerOf(useQuery(options));

function answerOf<T>(result: UseQueryResult<T>): Answer<T> {
  const { data, error, isPlaceholderData, isFetching, dataUpdatedAt: updatedAt, refetch } = result;
  const asked = { isFetching, updatedAt, retry: () => refetch() };
  if (data === undefined && error) return { state: "failed", error, ...asked };
  if (data === undefined) return { state: "loading", previous: undefined, ...asked };
  if (isPlaceholderData) return { state: "loading", previous: { look: data }, ...asked };
  return { state: "here", data, error, ...asked };
}

/** Returns what there is to look at; undefined where there is nothing yet. */
export function shownOf<T>(answer: Answer<T>): Shown<T> | undefined {
  if (answer.state === "here") return { look: answer.data, isDue: false };
  return answer.state === "loading" && answer.previous ? { ...answer.previous, isDue: true } : undefined;
}

/** Returns the answer as one to an earlier question: there is a newer one, which has not been asked yet. */
export function outdated<T>(answer: Answer<T>): Answer<T> {
  if (answer.state !== "here") return answer;
  const { data, error: _error, ...asked } = answer;
  return { ...asked, state: "loading", previous: { look: data } };
}
