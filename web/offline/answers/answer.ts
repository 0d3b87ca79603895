import type { Parts } from "../../../shared/api/protocol/address";
import type { BodyOf, Call, OutputOf, ParamsOf, QueryOf } from "../../../shared/api/protocol/call";

/** A call that can be answered from this browser's data. */
export interface Answer {
  call: Call;
  /** Returns the output, or undefined if the data is not here. */
  find(parts: Parts): Promise<unknown>;
}

interface Input<C extends Call> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
}

/**
 * Declares how a call is answered. `find` receives parameters, query and body as the server would parse them. A call
 * without a declared output is answered with a file.
 */
export function answer<C extends Call>(
  call: C,
  find: (
    input: Input<C>,
  ) => Promise<OutputOf<C> | (undefined extends OutputOf<C> ? Blob : never) | undefined> | undefined,
): Answer {
  const inputOf = ({ params, query, body }: Parts) =>
    ({
      params: call.params?.parse(params ?? {}),
      query: call.query?.parse(withoutMissing(query ?? {})),
      body: call.body?.parse(body),
    }) as Input<C>;
  return { call, find: async (parts) => find(inputOf(parts)) };
}

/** Returns the query without undefined and null values, which an address leaves out too. */
const withoutMissing = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
