import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { abortable } from "../http/abortable";
import type { Dextr, DextrImage, DextrRequest, DextrResult, DextrStatus, Runtime, RuntimeChoice } from "./dextr";
import { type DextrRuntime, RuntimeFailed } from "./dextrRuntime";
import {
  type Comparison,
  describeComparison,
  isWebgpuFaster,
  orderOf,
  recallChoice,
  recallComparison,
  rememberChoice,
  rememberComparison,
} from "./runtimeChoice";

/** A runtime is given up after this many failures in a row. */
const MAX_FAILURES = 2;

const nameOf = (runtime: Runtime): string =>
  runtime === "server" ? t`Server` : { webgpu: "WebGPU", wasm: "WebAssembly" }[runtime];

/**
 * Runs DEXTR in the first runtime that works, in the order of the user's choice. Switches when another one is measured
 * to be faster.
 */
export class BestDextr implements Dextr {
  readonly status = createStore<DextrStatus>(() => ({
    choice: recallChoice(),
    runtime: null,
    why: "",
    loading: null,
    error: null,
  }));
  /** Reasons for not trying a runtime again, by runtime. */
  private readonly givenUp = new Map<Runtime, string>();
  private comparison = recallComparison();
  private isCompared = this.comparison !== null;
  private failures = 0;
  /** A message that the next success does not clear yet, because it explains why that call took long. */
  private notice: string | null = null;

  constructor(private readonly runtimes: Record<Runtime, DextrRuntime>) {}

  choose(choice: RuntimeChoice): void {
    rememberChoice(choice);
    this.givenUp.clear();
    this.failures = 0;
    const wasInUse = this.status.getState().runtime !== null;
    this.notice = null;
    this.status.setState({ choice, error: null });
    if (wasInUse) void this.best().catch(() => undefined);
  }

  prepare(image: DextrImage): void {
    void this.best(image)
      .then((runtime) => runtime.preload(image))
      .catch(() => undefined);
  }

  /** Shows that a runtime has recovered, until the success after the next one. */
  showNotice(message: string): void {
    this.notice = message;
    this.status.setState({ error: message });
  }

  async predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    for (;;) {
      signal.throwIfAborted();
      const runtime = await abortable(signal, this.best(image));
      try {
        const result = await runtime.predict(image, request, signal);
        this.failures = 0;
        this.status.setState({ error: this.notice });
        this.notice = null;
        void this.compareWithWebgpu(runtime);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!this.shouldTryNext(runtime.name, error)) throw error;
      }
    }
  }

  release(): void {
    for (const runtime of Object.values(this.runtimes)) runtime.release();
  }

  close(): void {
    this.notice = null;
    for (const runtime of Object.values(this.runtimes)) runtime.stop();
    this.status.setState({ runtime: null, why: "", loading: null, error: null });
  }

  /** Records a failure. Returns true if the next runtime should be tried. */
  private shouldTryNext(name: Runtime, error: unknown): boolean {
    this.status.setState({ error: messageOf(error) });
    if (!(error instanceof RuntimeFailed)) return false;
    this.failures++;
    if (this.failures < MAX_FAILURES) return false;
    this.failures = 0;
    this.giveUp(name, error);
    return true;
  }

  /** Returns the first runtime that opens. The server's always opens. */
  private async best(image?: DextrImage): Promise<DextrRuntime> {
    const { choice } = this.status.getState();
    const missed: string[] = [];
    for (const name of orderOf(choice, this.comparison)) {
      const knownReason = this.givenUp.get(name);
      const opened = knownReason === undefined ? await this.tryOpen(name, image) : { reason: knownReason };
      if (this.status.getState().choice !== choice) return this.best(image);
      if ("how" in opened) {
        this.use(name, opened.how, missed);
        return this.runtimes[name];
      }
      missed.push(`${nameOf(name)}: ${withoutFullStop(opened.reason)}.`);
    }
    throw new Error("DEXTR has no runtime.");
  }

  private async tryOpen(name: Runtime, image?: DextrImage): Promise<{ how: string } | { reason: string }> {
    try {
      return { how: await this.runtimes[name].open(image) };
    } catch (error) {
      this.giveUp(name, error);
      return { reason: messageOf(error) };
    }
  }

  /** Gives a runtime up, unless it was unreachable, which may be temporary. */
  private giveUp(name: Runtime, error: unknown): null {
    if (!(error instanceof Error && error.name === "Unreachable")) this.givenUp.set(name, messageOf(error));
    return null;
  }

  private use(runtime: Runtime, how: string, missed: string[]): void {
    const { choice } = this.status.getState();
    const compared = choice === "auto" && runtime !== "server" && this.comparison;
    const card = runtime === "wasm" && !compared && choice === "auto" ? this.givenUp.get("webgpu") : undefined;
    const why = [
      compared ? `${how}: ${describeComparison(compared)}.` : choice === runtime ? t`${how}, as chosen.` : `${how}.`,
      ...missed,
      ...(card ? [`${nameOf("webgpu")}: ${withoutFullStop(card)}.`] : []),
    ].join(" ");
    this.status.setState({ runtime, why });
  }

  /** After the first success of WebAssembly, measures once whether WebGPU is faster, and switches to the faster one. */
  private async compareWithWebgpu(current: DextrRuntime): Promise<void> {
    if (this.isCompared || current.name !== "wasm" || this.status.getState().choice !== "auto") return;
    this.isCompared = true;
    const { wasm, webgpu } = this.runtimes;
    const comparison = await compare(wasm, webgpu).catch((error) => this.giveUp("webgpu", error));
    if (this.status.getState().choice !== "auto") return;
    this.comparison = comparison;
    if (comparison) rememberComparison(comparison);
    (comparison && isWebgpuFaster(comparison) ? wasm : webgpu).stop();
    await this.best();
  }
}

async function compare(wasm: DextrRuntime, webgpu: DextrRuntime): Promise<Comparison> {
  await webgpu.open();
  return { webgpu: await webgpu.measure(), wasm: await wasm.measure(), at: Date.now() };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, "");
