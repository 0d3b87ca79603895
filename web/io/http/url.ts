import { addressOf, type Given, type Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";

/** The application's address, ending in a slash: the page's `<base href>`, so that one build serves any path. */
export function baseUrl(): URL {
  return new URL("./", document.baseURI);
}

/** Absolute address of a call, for requests, `<img src>` and downloads. Lists in the query become comma lists. */
export function url<C extends Call>(call: C, given?: Given<C>): string {
  return address(call, (given ?? {}) as Parts);
}

/** The same for callers that hold the parts loosely. */
export function address(call: Call, parts: Parts): string {
  return new URL(addressOf(call, parts), baseUrl()).href;
}
