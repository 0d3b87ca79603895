import type { z } from "zod";

/**
 * A call is one REST endpoint, declared once. The server's route, the client's function, validation and the OpenAPI page
 * come from the declaration. `path` is relative to /api; `{name}` marks a path parameter.
 */
export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
  path: string;
  /** Shown over the server's message when the call fails, as the specification's error catalogue words it. */
  title: string;
  /** Callers who are let in; the route checks rights on the object. */
  access: "public" | "user" | "admin";
  /** A GET that changes something needs proof that it comes from our own pages or from a script. */
  changes?: boolean;
  params?: Params;
  query?: Query;
  /** JSON unless `upload` says multipart or `raw` says JSON whatever the content type. */
  body?: Body;
  /** Multipart: name of the file field; other fields are in `body`. */
  upload?: { field: string; many?: boolean };
  /** The body is read as JSON whatever its content type says. */
  raw?: boolean;
  /** Largest JSON body in bytes; default 1 MB. */
  maxBody?: number;
  /**
   * The answer's `ETag` is the revision of what it shows, in quotes. A call that changes that takes `If-Match`, and is
   * answered with 412 where the revision is another one.
   */
  revisioned?: boolean;
  /** Schema of the JSON answer; absent where a file is sent. */
  output?: Output;
  summary: string;
}

type Inferred<T> = T extends z.ZodType ? z.output<T> : undefined;
type Given<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<C extends Call> = Inferred<C["params"]>;
export type QueryOf<C extends Call> = Inferred<C["query"]>;
export type BodyOf<C extends Call> = Inferred<C["body"]>;
export type OutputOf<C extends Call> = Inferred<C["output"]>;

/** The inputs of a call before parsing. */
export type RequestOf<C extends Call> = OptionalWhenUndefined<{
  params: Given<C["params"]>;
  query: Given<C["query"]>;
  body: Given<C["body"]>;
}>;
type OptionalWhenUndefined<T> = {
  [K in keyof T as [T[K]] extends [undefined] ? never : K]: T[K];
};

/** Keeps the literal types of a declaration. */
export function declare<const C extends Call>(call: C): C {
  return call;
}
