/**
 * Globals that this part uses and that exist in browsers, workers and Node. Used by the type check of this part only.
 */
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
