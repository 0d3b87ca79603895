import { limitedSignal } from "../../shared/async/signals";
import { OutsideError } from "./outsideError";
import { checkedUrl, type OutsideResponse, sendRequest } from "./sendRequest";

/** Sends GET requests to other servers by http and https, without credentials. */
export interface Outside {
  /**
   * Sends a request and follows redirects. Throws OutsideError if there is no response, and for addresses that are not
   * public. The address is checked after name resolution, for the connection itself, so that a second DNS answer cannot
   * redirect it into the server's network.
   */
  get(address: string, options: { accept: string; signal: AbortSignal; seconds: number }): Promise<OutsideResponse>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Creates the client.
 *
 * @param trusted the only origin that may be in the server's own network, since the operator has configured it
 */
export function makeOutside(trusted?: string): Outside {
  return {
    async get(address, { accept, signal, seconds }) {
      const limit = limitedSignal(signal, 1000 * seconds);
      try {
        let url = checkedUrl(address);
        for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
          const response = await sendRequest(url, {
            method: "GET",
            headers: { Accept: accept },
            signal: limit.signal,
            isTrusted: url.origin === trusted,
          });
          const { location } = response.headers;
          if (!REDIRECTS.has(response.status) || location === undefined) {
            response.body.once("close", limit.stop);
            return response;
          }
          response.body.destroy();
          url = checkedUrl(location, url);
        }
        throw new OutsideError("it has too many redirects");
      } catch (error) {
        limit.stop();
        signal.throwIfAborted();
        throw limit.signal.aborted ? new OutsideError(`no response within ${seconds} s`, true) : error;
      }
    },
  };
}
