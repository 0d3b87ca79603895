/** Time limit for a response of the server, in milliseconds. */
const TIME_LIMIT_MS = 60_000;

/** Ending of the address of a file that is smaller than its image: the image's size in pixels. */
const SIZE = /#(\d+)x(\d+)$/;

/**
 * Loads an image from our own server or this browser and decodes it upright, in sRGB. An address that ends in
 * `#<width>x<height>` gives a bitmap of that size in pixels. Throws an Error, whose message is shown to the user, if
 * the image cannot be fetched or decoded. The caller must close the bitmap.
 */
export async function loadBitmap(address: string): Promise<ImageBitmap> {
  const [, width, height] = SIZE.exec(address) ?? [];
  const size = width && height ? { resizeWidth: Number(width), resizeHeight: Number(height) } : {};
  return decode(await load(address.replace(SIZE, "")), size);
}

async function load(address: string): Promise<Blob> {
  // While offline, falls back to the browser's cached copy of the image on the page.
  const response = (await reach(address, "default")) ?? (await reach(address, "force-cache"));
  if (!response) throw new Error("The image cannot be reached.");
  if (!response.ok) throw new Error(`The image cannot be loaded (status ${response.status}).`);
  return response.blob().catch(() => {
    throw new Error("The image was only partly received.");
  });
}

function reach(address: string, cache: RequestCache): Promise<Response | null> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  return fetch(address, { credentials: "same-origin", cache, signal }).catch(() => null);
}

async function decode(blob: Blob, size: ImageBitmapOptions): Promise<ImageBitmap> {
  return createImageBitmap(blob, { premultiplyAlpha: "none", resizeQuality: "high", ...size }).catch(() => {
    throw new Error("The image cannot be decoded.");
  });
}
