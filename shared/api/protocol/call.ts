import type { z } from "zod";

/**
 * Declaration of one REST endpoint. The server's route, the client's function, validation and the OpenAPI page are
 * derived from it. `path` is relative to /api; `{name}` marks a path parameter.
 */
export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
  path: string;
  /** Shown above the server's message if the call fails; from the specification's error catalogue. */
  title: string;
  /** Users who may make the call; the route checks their rights on the object. */
  access: "public" | "user" | "admin";
  /**
   * True for a GET that changes data: it must prove that it comes from one of our pages or from a script. False for a
   * POST that only reads: it is no command, so its response is not stored for repeats.
   */
  changes?: boolean;
  params?: Params;
  query?: Query;
  /** JSON, or multipart with `upload`. */
  body?: Body;
  /** Makes the body multipart: name of the file field; the other fields are in `body`. */
  upload?: { field: string; many?: boolean };
  /** Reads the body as JSON, whatever its content type. */
  raw?: boolean;
  /** Largest JSON body in bytes; default 1 MB. */
  maxBody?: number;
  /**
   * The `ETag` of the response is the quoted revision of the object it shows. A call that changes the object accepts
   * `If-Match` and gets 412 if the revision differs.
   */
  revisioned?: boolean;
  /** Schema of the JSON response; absent if the response is a file. */
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

/** Returns a declaration with its literal types. */
export function declare<const C extends Call>(call: C): C {
  return call;
}
