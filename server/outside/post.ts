import { limitedSignal } from "../../shared/async/signals";
import { OutsideError } from "./outsideError";
import { checkedUrl, sendRequest } from "./sendRequest";

export interface Post {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  seconds: number;
  /** True allows addresses in the server's own network. */
  allowPrivate: boolean;
}

/**
 * Posts a text to another server and returns the status of its response, whose body is discarded. Follows no redirects.
 * Throws OutsideError if there is no response in time, and for addresses that are not public.
 */
export async function postOutside(address: string, post: Post): Promise<number> {
  const limit = limitedSignal(post.signal, 1000 * post.seconds);
  try {
    const { headers, body, allowPrivate } = post;
    const length = { "Content-Length": String(Buffer.byteLength(body)) };
    const response = await sendRequest(checkedUrl(address), {
      method: "POST",
      headers: { ...headers, ...length },
      body,
      signal: limit.signal,
      isTrusted: allowPrivate,
    });
    response.body.on("error", () => undefined);
    response.body.destroy();
    return response.status;
  } catch (error) {
    post.signal.throwIfAborted();
    throw limit.signal.aborted ? new OutsideError(`no response within ${post.seconds} s`, true) : error;
  } finally {
    limit.stop();
  }
}
