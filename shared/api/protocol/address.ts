import type { Call, RequestOf } from "./call";

type Value = string | number | boolean | null | undefined | readonly (string | number)[];

/** Input of a call. Parts of the request that have only optional fields may be left out. */
export type Given<C extends Call> = Loose<RequestOf<C>>;
type Loose<T> = { [K in keyof T as Record<never, never> extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as Record<never, never> extends T[K] ? K : never]?: T[K];
};

/** The parts of any call's request, as plain objects. */
export interface Parts {
  params?: Record<string, Value>;
  query?: Record<string, Value>;
  body?: unknown;
}

/**
 * Returns the address of a call, relative to the address of the application. Lists in the query are joined with commas.
 */
export function addressOf({ path }: Pick<Call, "path">, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`);
  return `api${filled}${search.length > 0 ? `?${search.join("&")}` : ""}`;
}

const textOf = (value: Value): string => (Array.isArray(value) ? value.join(",") : String(value));
