import { createStore } from "zustand/vanilla";
import type { Rings } from "../../../shared/entities/shape";
import type { Dextr, DextrImage, DextrRequest, DextrResult, DextrStatus } from "../../../web/io/dextr/dextr";

/** A pending request to the network. */
interface PendingRequest {
  image: DextrImage;
  request: DextrRequest;
  signal: AbortSignal;
  answer(result: DextrResult): void;
  fail(error: Error): void;
}

/** DEXTR with the test as its network: requests are recorded until the test resolves them. */
export class TestDextr implements Dextr {
  readonly status = createStore<DextrStatus>(() => ({
    choice: "auto",
    runtime: null,
    why: "",
    loading: null,
    error: null,
  }));
  readonly questions: PendingRequest[] = [];
  prepared = 0;
  released = 0;

  get last(): PendingRequest {
    const last = this.questions.at(-1);
    if (!last) throw new Error("The network was not asked.");
    return last;
  }

  choose(choice: DextrStatus["choice"]): void {
    this.status.setState({ choice });
  }

  prepare(): void {
    this.prepared++;
  }

  predict(image: DextrImage, request: DextrRequest, signal: AbortSignal): Promise<DextrResult> {
    return new Promise((answer, fail) => {
      this.questions.push({ image, request, signal, answer, fail });
      signal.addEventListener("abort", () => fail(signal.reason as Error));
    });
  }

  release(): void {
    this.released++;
  }

  close(): void {}
}

/**
 * A result whose outlines are squares: at a threshold of 80, the square at (left, top) with this side length; one pixel
 * smaller on each side for every point of threshold above 80, and larger for every point below. `outlines` records the
 * requested thresholds.
 */
export class SquareResult implements DextrResult {
  readonly runtime = "wasm";
  readonly outlines: number[] = [];
  readonly rings: Rings;

  constructor(
    private readonly left: number,
    private readonly top: number,
    private readonly side: number,
    threshold = 80,
  ) {
    this.rings = this.at(threshold);
  }

  async outline(threshold: number): Promise<Rings | null> {
    this.outlines.push(threshold);
    return this.at(threshold);
  }

  at(threshold: number): Rings {
    const by = threshold - 80;
    const [left, top, right, bottom] = [
      this.left + by,
      this.top + by,
      this.left + this.side - by,
      this.top + this.side - by,
    ];
    return right <= left ? [] : [[[left, top, right, top, right, bottom, left, bottom]]];
  }
}
