/** A server that does not answer holds nobody up longer than this, in milliseconds. */
const LONGEST_MS = 60_000;

/**
 * An image of our own server, decoded upright, in sRGB. Throws an Error for people to read where it cannot be fetched or
 * decoded. Close it after use.
 */
export async function loadBitmap(address: string): Promise<ImageBitmap> {
  return decode(await load(address));
}

async function load(address: string): Promise<Blob> {
  // Without network, the copy that the browser has kept of the image on the page.
  const response = (await reach(address, "default")) ?? (await reach(address, "force-cache"));
  if (!response) throw new Error("The image cannot be reached.");
  if (!response.ok) throw new Error(`The image cannot be loaded (status ${response.status}).`);
  return response.blob().catch(() => {
    throw new Error("The image did not arrive whole.");
  });
}

function reach(address: string, cache: RequestCache): Promise<Response | null> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  return fetch(address, { credentials: "same-origin", cache, signal }).catch(() => null);
}

async function decode(blob: Blob): Promise<ImageBitmap> {
  return createImageBitmap(blob, { premultiplyAlpha: "none" }).catch(() => {
    throw new Error("The image cannot be decoded.");
  });
}
