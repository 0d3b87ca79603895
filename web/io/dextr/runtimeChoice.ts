import { recall, remember } from "../storage/localStore";
import type { Runtime, RuntimeChoice } from "./dextr";

/** Validity of a comparison: browsers and drivers get better. */
const HOLDS_MS = 14 * 24 * 60 * 60 * 1000;

/** Milliseconds of a warm run in this browser, and when they were measured. */
export interface Comparison {
  wasm: number;
  webgpu: number;
  at: number;
}

export const isCardFaster = ({ wasm, webgpu }: Comparison): boolean => webgpu < wasm;

/** For people. */
export function toldComparison(comparison: Comparison): string {
  const { wasm, webgpu } = comparison;
  const [better, worse] = isCardFaster(comparison) ? [webgpu, wasm] : [wasm, webgpu];
  const other = isCardFaster(comparison) ? "WebAssembly" : "the graphics card";
  return `${inMs(better)} a run, ${other} ${inMs(worse)}`;
}

const inMs = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;

/**
 * In which order the runtimes are tried. WebAssembly comes first as long as nobody knows that the graphics card is
 * faster: it is there sooner. By hand, the others follow where the chosen one cannot run; of them the server never gives way.
 */
export function orderOf(choice: RuntimeChoice, comparison: Comparison | null): Runtime[] {
  if (choice === "server") return ["server"];
  if (choice === "webgpu") return ["webgpu", "wasm", "server"];
  if (choice === "wasm") return ["wasm", "server"];
  return comparison && isCardFaster(comparison) ? ["webgpu", "wasm", "server"] : ["wasm", "webgpu", "server"];
}

const CHOICE = "dextr.choice";
const COMPARISON = "dextr.comparison";

export const rememberChoice = (choice: RuntimeChoice): void => remember(CHOICE, choice);
export const recallChoice = (): RuntimeChoice => recall(CHOICE, isChoice) ?? "auto";

export const rememberComparison = (comparison: Comparison): void => remember(COMPARISON, comparison);
export function recallComparison(now = Date.now()): Comparison | null {
  const found = recall(COMPARISON, isComparison);
  return found && Math.abs(now - found.at) < HOLDS_MS ? found : null;
}

const isChoice = (value: unknown): value is RuntimeChoice =>
  value === "auto" || value === "webgpu" || value === "wasm" || value === "server";

function isComparison(value: unknown): value is Comparison {
  if (typeof value !== "object" || value === null) return false;
  const { wasm, webgpu, at } = value as Record<string, unknown>;
  return typeof wasm === "number" && typeof webgpu === "number" && typeof at === "number";
}
