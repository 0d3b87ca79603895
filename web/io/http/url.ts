import { addressOf, type Given, type Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";

/**
 * Returns the application's address, ending in a slash. Taken from `<base href>`, so that one build serves any path.
 */
export function baseUrl(): URL {
  return new URL("./", document.baseURI);
}

/**
 * Returns the absolute address of a call, for requests, `<img src>` and downloads. Lists in the query are
 * comma-separated.
 */
export function url<C extends Call>(call: C, given?: Given<C>): string {
  return address(call, (given ?? {}) as Parts);
}

/** Like `url`, for callers without the type of the call. */
export function address(call: Call, parts: Parts): string {
  return new URL(addressOf(call, parts), baseUrl()).href;
}
