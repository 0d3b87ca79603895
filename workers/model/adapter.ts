/** The adapter that WebGPU would use. */
export interface Adapter {
  kind: "none" | "software" | "hardware";
  /** Name shown to the user; empty if there is no adapter. */
  name: string;
}

/** Names of adapters that compute on the CPU, hundreds of times slower than WebAssembly. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|warp|basic render|software/i;

/** Returns the browser's WebGPU adapter. There is none outside secure contexts and in browsers without WebGPU. */
export async function findAdapter(): Promise<Adapter> {
  if (!("gpu" in navigator)) return { kind: "none", name: "" };
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) return { kind: "none", name: "" };
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const words = [description, vendor, architecture, device].filter(Boolean);
  const name = description || words.join(" ") || "unnamed";
  return { kind: isFallbackAdapter || SOFTWARE.test(words.join(" ")) ? "software" : "hardware", name };
}
