import { setTimeout as wait } from "node:timers/promises";
import type { LiveServer } from "../liveServer";

interface Kills {
  /** Milliseconds from one kill to the next. */
  everyMs: number;
  /** Milliseconds until a service manager starts the server again. */
  downMs: number;
}

/** Servers that are killed in turn, and started again. */
export interface Killing {
  /** Kills so far. */
  readonly count: number;
  /** Resolves once all servers run. */
  stop(): Promise<void>;
}

export function killInTurn(servers: readonly LiveServer[], { everyMs, downMs }: Kills): Killing {
  const over = new AbortController();
  let count = 0;
  let next = performance.now() + everyMs;
  const work = async () => {
    for (;;) {
      await wait(Math.max(0, next - performance.now()), undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      next = performance.now() + everyMs;
      const server = servers[count++ % servers.length];
      await server?.kill();
      await wait(downMs);
      await server?.start();
    }
  };
  const working = work();
  return {
    get count() {
      return count;
    },
    async stop() {
      over.abort();
      await working;
    },
  };
}
