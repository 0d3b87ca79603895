import { createStore } from "zustand/vanilla";
import { abortable } from "../http/abortable";
import type { Dextr, DextrImage, DextrRequest, DextrResult, DextrStatus, Runtime, RuntimeChoice } from "./dextr";
import { type DextrRuntime, RuntimeFailed } from "./dextrRuntime";
import {
  type Comparison,
  isCardFaster,
  orderOf,
  recallChoice,
  recallComparison,
  rememberChoice,
  rememberComparison,
  toldComparison,
} from "./runtimeChoice";

/** A runtime that fails so often in a row is given up. */
const MOST_FAILURES = 2;

const NAMES: Record<Runtime, string> = { webgpu: "WebGPU", wasm: "WebAssembly", server: "Server" };

/** DEXTR in the first runtime that works, in the order of the person's choice; a faster one takes over when it is found. */
export class BestDextr implements Dextr {
  readonly status = createStore<DextrStatus>(() => ({
    choice: recallChoice(),
    runtime: null,
    why: "",
    loading: null,
    error: null,
  }));
  /** The reason why a runtime is not tried again, by runtime. */
  private readonly givenUp = new Map<Runtime, string>();
  private comparison = recallComparison();
  private isCompared = this.comparison !== null;
  private failures = 0;
  /** A failure that the next success does not clear yet, as it delayed that call. */
  private news: string | null = null;

  constructor(private readonly runtimes: Record<Runtime, DextrRuntime>) {}

  choose(choice: RuntimeChoice): void {
    rememberChoice(choice);
    this.givenUp.clear();
    this.failures = 0;
    const wasInUse = this.status.getState().runtime !== null;
    this.news = null;
    this.status.setState({ choice, error: null });
    if (wasInUse) void this.best().catch(() => undefined);
  }

  prepare(image: DextrImage): void {
    void this.best(image)
      .then((runtime) => runtime.hold(image))
      .catch(() => undefined);
  }

  /** Shows what a runtime has mended by itself: until the outline after the next. */
  tell(message: string): void {
    this.news = message;
    this.status.setState({ error: message });
  }

  async predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    for (;;) {
      signal.throwIfAborted();
      const runtime = await abortable(signal, this.best(image));
      try {
        const result = await runtime.predict(image, request, signal);
        this.failures = 0;
        this.status.setState({ error: this.news });
        this.news = null;
        void this.tryCard(runtime);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!this.isWorthAnother(runtime.name, error)) throw error;
      }
    }
  }

  release(): void {
    for (const runtime of Object.values(this.runtimes)) runtime.release();
  }

  close(): void {
    this.news = null;
    for (const runtime of Object.values(this.runtimes)) runtime.rest();
    this.status.setState({ runtime: null, why: "", loading: null, error: null });
  }

  /** Notes a failure. Whether the next runtime is to answer instead. */
  private isWorthAnother(name: Runtime, error: unknown): boolean {
    this.status.setState({ error: messageOf(error) });
    if (!(error instanceof RuntimeFailed)) return false;
    this.failures++;
    if (this.failures < MOST_FAILURES) return false;
    this.failures = 0;
    this.giveUp(name, error);
    return true;
  }

  /** The first runtime that opens. The server's always does. */
  private async best(image?: DextrImage): Promise<DextrRuntime> {
    const { choice } = this.status.getState();
    const missed: string[] = [];
    for (const name of orderOf(choice, this.comparison)) {
      const given = this.givenUp.get(name);
      const opened = given === undefined ? await this.tryOpen(name, image) : { reason: given };
      if (this.status.getState().choice !== choice) return this.best(image);
      if ("how" in opened) {
        this.use(name, opened.how, missed);
        return this.runtimes[name];
      }
      missed.push(`${NAMES[name]}: ${withoutStop(opened.reason)}.`);
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

  /** Gives a runtime up, unless it could not be reached: then it may come back. */
  private giveUp(name: Runtime, error: unknown): null {
    if (!(error instanceof Error && error.name === "Unreachable")) this.givenUp.set(name, messageOf(error));
    return null;
  }

  private use(runtime: Runtime, how: string, missed: string[]): void {
    const { choice } = this.status.getState();
    const compared = choice === "auto" && runtime !== "server" && this.comparison;
    const card = runtime === "wasm" && !compared && choice === "auto" ? this.givenUp.get("webgpu") : undefined;
    const why = [
      compared ? `${how}: ${toldComparison(compared)}.` : `${how}${choice === runtime ? ", as chosen" : ""}.`,
      ...missed,
      ...(card ? [`${NAMES.webgpu}: ${withoutStop(card)}.`] : []),
    ].join(" ");
    this.status.setState({ runtime, why });
  }

  /** Once, after WebAssembly has answered: whether a graphics card is faster. */
  private async tryCard(answered: DextrRuntime): Promise<void> {
    if (this.isCompared || answered.name !== "wasm" || this.status.getState().choice !== "auto") return;
    this.isCompared = true;
    const { wasm, webgpu } = this.runtimes;
    const comparison = await compare(wasm, webgpu).catch((error) => this.giveUp("webgpu", error));
    if (this.status.getState().choice !== "auto") return;
    this.comparison = comparison;
    if (comparison) rememberComparison(comparison);
    (comparison && isCardFaster(comparison) ? wasm : webgpu).rest();
    await this.best();
  }
}

async function compare(wasm: DextrRuntime, webgpu: DextrRuntime): Promise<Comparison> {
  await webgpu.open();
  return { webgpu: await webgpu.measure(), wasm: await wasm.measure(), at: Date.now() };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");
