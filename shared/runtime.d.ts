/** Globals that browsers, workers and Node have alike, as far as this folder uses them. Seen by its own type check only. */
declare function setTimeout(run: () => void, ms: number): number;
declare function clearTimeout(timer: number | undefined): void;

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
