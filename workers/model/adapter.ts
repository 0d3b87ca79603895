/** The adapter that WebGPU would run on. */
export interface Adapter {
  kind: "none" | "software" | "hardware";
  /** For people; empty where there is none. */
  name: string;
}

/** Adapters that compute on the processor: hundreds of times slower than WebAssembly. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|warp|basic render|software/i;

/** Returns this browser's WebGPU adapter. Absent outside secure contexts and in browsers without WebGPU. */
export async function findAdapter(): Promise<Adapter> {
  if (!("gpu" in navigator)) return { kind: "none", name: "" };
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) return { kind: "none", name: "" };
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const words = [description, vendor, architecture, device].filter(Boolean);
  const name = description || words.join(" ") || "unnamed";
  return { kind: isFallbackAdapter || SOFTWARE.test(words.join(" ")) ? "software" : "hardware", name };
}
