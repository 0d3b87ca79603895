import { t } from "@lingui/core/macro";
import { recall, remember } from "../storage/localStore";
import type { Runtime, RuntimeChoice } from "./dextr";

/** Time for which a comparison is valid, in milliseconds: browsers and drivers improve. */
const VALID_MS = 14 * 24 * 60 * 60 * 1000;

/** Durations of a warm run of each runtime in this browser, in milliseconds, and the time of the measurement. */
export interface Comparison {
  wasm: number;
  webgpu: number;
  at: number;
}

export const isWebgpuFaster = ({ wasm, webgpu }: Comparison): boolean => webgpu < wasm;

/** Returns a comparison as text for the user. */
export function describeComparison(comparison: Comparison): string {
  const { wasm, webgpu } = comparison;
  const [better, worse] = isWebgpuFaster(comparison) ? [webgpu, wasm] : [wasm, webgpu];
  const [faster, slower] = [inMs(better), inMs(worse)];
  return isWebgpuFaster(comparison)
    ? t`${faster} a run, WebAssembly ${slower}`
    : t`${faster} a run, the graphics card ${slower}`;
}

const inMs = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;

/**
 * Returns the order in which runtimes are tried. With "auto", WebAssembly comes first, because it starts sooner, unless
 * WebGPU was measured to be faster. A chosen runtime comes first, followed by its fallbacks; the server has none.
 */
export function orderOf(choice: RuntimeChoice, comparison: Comparison | null): Runtime[] {
  if (choice === "server") return ["server"];
  if (choice === "webgpu") return ["webgpu", "wasm", "server"];
  if (choice === "wasm") return ["wasm", "server"];
  return comparison && isWebgpuFaster(comparison) ? ["webgpu", "wasm", "server"] : ["wasm", "webgpu", "server"];
}

const CHOICE = "dextr.choice";
const COMPARISON = "dextr.comparison";

export const rememberChoice = (choice: RuntimeChoice): void => remember(CHOICE, choice);
export const recallChoice = (): RuntimeChoice => recall(CHOICE, isChoice) ?? "auto";

export const rememberComparison = (comparison: Comparison): void => remember(COMPARISON, comparison);
export function recallComparison(now = Date.now()): Comparison | null {
  const found = recall(COMPARISON, isComparison);
  return found && Math.abs(now - found.at) < VALID_MS ? found : null;
}

const isChoice = (value: unknown): value is RuntimeChoice =>
  value === "auto" || value === "webgpu" || value === "wasm" || value === "server";

function isComparison(value: unknown): value is Comparison {
  if (typeof value !== "object" || value === null) return false;
  const { wasm, webgpu, at } = value as Record<string, unknown>;
  return typeof wasm === "number" && typeof webgpu === "number" && typeof at === "number";
}
