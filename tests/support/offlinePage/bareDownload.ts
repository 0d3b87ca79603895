/** Downloads addresses over four connections and keeps nothing. Returns the bytes and the milliseconds. */
export async function bareDownload(addresses: readonly string[]): Promise<{ bytes: number; ms: number }> {
  const began = performance.now();
  const queue = addresses.values();
  let bytes = 0;
  const work = async () => {
    for (const address of queue) {
      const response = await fetch(address, { credentials: "same-origin", cache: "no-store" });
      bytes += (await response.arrayBuffer()).byteLength;
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return { bytes, ms: performance.now() - began };
}
