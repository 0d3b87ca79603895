import { limitedSignal } from "../../../shared/async/signals";

/** The reason why an address returned no data, in a message for the user. */
export class PostImageError extends Error {
  override name = "PostImageError";
}

export interface PostImageOptions {
  signal: AbortSignal;
  /** Milliseconds until it is given up. */
  timeout: number;
  /** Largest answer in bytes. */
  maxBytes: number;
}

/** The browser tells of a refused connection just after it has failed. */
const TELL_MS = 50;

/**
 * Posts an image as field `image` to somebody else's address and returns the JSON that comes back, whatever it is.
 * No cookie and no address of ours goes along. Throws a PostImageError; an abort by `signal` throws its reason.
 */
export async function postImage(
  address: string,
  image: Blob,
  fileName: string,
  { signal, timeout, maxBytes }: PostImageOptions,
): Promise<unknown> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new PostImageError("It is not an http or https address.");
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
    if (!response.ok) throw new PostImageError(`${origin} answered with status ${response.status}.`);
    return parse(await textOf(response, maxBytes));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PostImageError) throw error;
    if (limit.signal.aborted) throw new PostImageError(`No response within ${Math.round(timeout / 1000)} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, TELL_MS));
    throw new PostImageError(policy.hasRefused() ? notAllowed(origin) : unreachable(origin));
  } finally {
    limit.stop();
    policy.stop();
  }
}

const notAllowed = (origin: string): string =>
  `The origin ${origin} is not allowed: the operator of this server can add it to ANNOTATE_ORIGINS.`;

function unreachable(origin: string): string {
  if (!navigator.onLine) return "There is no internet connection.";
  return `${origin} cannot be reached, or does not let other sites call it (CORS).`;
}

/** Watches whether the page's content security policy refuses the origin: fetch itself does not say why it failed. */
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

/** Read piece by piece, so that an endless answer ends. */
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
      throw new PostImageError(`The response is larger than ${Math.round(maxBytes / 1e6)} MB.`);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PostImageError("The response is not JSON.");
  }
}
