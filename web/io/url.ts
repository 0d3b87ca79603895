import type { Call, RequestOf } from "../../shared/api/call";

type Value = string | number | boolean | null | undefined | readonly (string | number)[];

/** Parts of a request whose every field is optional may be left out. */
export type Given<C extends Call> = Loose<RequestOf<C>>;
type Loose<T> = { [K in keyof T as Record<never, never> extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as Record<never, never> extends T[K] ? K : never]?: T[K];
};

/** The parts of a request as plain objects, whatever the call. */
export interface Parts {
  params?: Record<string, Value>;
  query?: Record<string, Value>;
  body?: unknown;
}

/** Where the application lives, ending in a slash: the page's `<base href>`, so that one build serves any path. */
export function baseUrl(): URL {
  return new URL("./", document.baseURI);
}

/** Absolute address of a call, for requests, `<img src>` and downloads. Lists in the query become comma lists. */
export function url<C extends Call>(call: C, given?: Given<C>): string {
  return address(call, (given ?? {}) as Parts);
}

/** The same for callers that hold the parts loosely. */
export function address(call: Call, { params = {}, query = {} }: Parts): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const address = new URL(`api${path}`, baseUrl());
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    address.searchParams.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return address.href;
}
