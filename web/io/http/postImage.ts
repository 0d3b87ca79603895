import { plural, t } from "@lingui/core/macro";
import { limitedSignal } from "../../../shared/async/signals";

/** Thrown if an address returned no data. The message is shown to the user. */
export class PostImageError extends Error {
  override name = "PostImageError";
}

export interface PostImageOptions {
  signal: AbortSignal;
  /** Time limit in milliseconds. */
  timeout: number;
  /** Maximum size of the response, in bytes. */
  maxBytes: number;
}

/** Time after a failure within which the browser reports a policy violation, in milliseconds. */
const POLICY_REPORT_MS = 50;

/**
 * Posts an image as field `image` to an external address and returns the JSON of the response, unchecked. Sends no
 * cookies and no referrer. Throws PostImageError, or the signal's reason if aborted.
 */
export async function postImage(
  address: string,
  image: Blob,
  fileName: string,
  { signal, timeout, maxBytes }: PostImageOptions,
): Promise<unknown> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new PostImageError(t`The address is not an http or https address.`);
  const { origin } = new URL(address);
  const policy = watchPolicy(origin);
  const limit = limitedSignal(signal, timeout);
  const body = new FormData();
  body.append("image", image, fileName);
  try {
    const response = await fetch(address, {
      method: "POST",
      body,
      mode: "cors",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: limit.signal,
    });
    const { status } = response;
    if (!response.ok) throw new PostImageError(t`${origin} responded with status ${status}.`);
    return parse(await textOf(response, maxBytes));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PostImageError) throw error;
    const seconds = Math.round(timeout / 1000);
    if (limit.signal.aborted)
      throw new PostImageError(
        plural(seconds, { one: "No response within # second.", other: "No response within # seconds." }),
      );
    await new Promise((resolve) => setTimeout(resolve, POLICY_REPORT_MS));
    throw new PostImageError(policy.hasRefused() ? notAllowed(origin) : unreachable(origin));
  } finally {
    limit.stop();
    policy.stop();
  }
}

const notAllowed = (origin: string): string =>
  t`The origin ${origin} is not allowed: the operator of this server can add it to ANNOTATE_ORIGINS.`;

function unreachable(origin: string): string {
  if (!navigator.onLine) return t`There is no internet connection.`;
  return t`${origin} cannot be reached, or does not let other sites call it (CORS).`;
}

/** Detects whether the page's content security policy refuses the origin, since fetch does not report why it failed. */
function watchPolicy(origin: string): { hasRefused: () => boolean; stop: () => void } {
  let refused = false;
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === "connect-src" && blockedURI.startsWith(origin)) refused = true;
  };
  document.addEventListener("securitypolicyviolation", note);
  return {
    hasRefused: () => refused,
    stop: () => document.removeEventListener("securitypolicyviolation", note),
  };
}

/** Reads the response in pieces, so that an endless response is stopped at `maxBytes`. */
async function textOf(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const piece = await reader?.read();
    if (!piece?.value) return text + decoder.decode();
    bytes += piece.value.byteLength;
    if (bytes > maxBytes) {
      void reader?.cancel().catch(() => undefined);
      const limit = Math.round(maxBytes / 1e6);
      throw new PostImageError(t`The response is larger than ${limit} MB.`);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PostImageError(t`The response is not JSON.`);
  }
}
